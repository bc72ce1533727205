package io.rowmark.formats.position;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;

/**
 * A data file that is live in a snapshot, with every delete file that applies to it there.
 *
 * @param file without column statistics, or with those asked for
 * @param deletes as Iceberg's scan planning matched them: a deletion vector hides position deletes
 */
public record LiveFile(DataFile file, List<DeleteFile> deletes) implements Serializable {
  public LiveFile {
    deletes = List.copyOf(deletes);
  }

  /** The path, byte for byte as Iceberg's metadata spells it. */
  public String path() {
    return file.location();
  }

  /** Position deletes and deletion vectors; equality deletes are left out. */
  public List<DeleteFile> positionalDeletes() {
    return deletes.stream()
        .filter(delete -> delete.content() == FileContent.POSITION_DELETES)
        .toList();
  }

  /** Whether rows of this file may be hidden by key values. */
  public boolean hasEqualityDeletes() {
    return deletes.stream().anyMatch(delete -> delete.content() == FileContent.EQUALITY_DELETES);
  }

  /**
   * The sequence number of the commit that brought a file; not the one that its content counts as,
   * which a compaction may keep old (Iceberg table spec, "Sequence Number Inheritance").
   */
  public static long addedAt(ContentFile<?> file) {
    Long added = file.fileSequenceNumber();
    return added == null ? Objects.requireNonNullElse(file.dataSequenceNumber(), 0L) : added;
  }
}
