package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What has to be read and replaced so that no delete of some kinds is left in a snapshot.
 *
 * @param to the wanted format
 * @param base the snapshot that was looked at; null for a table without one
 * @param files data files to which deletes of these kinds apply
 * @param replaced every delete file of these kinds, those that hide nothing any more among them
 */
public record ConversionPlan(
    DeleteFormat to, @Nullable Snapshot base, List<LiveFile> files, List<DeleteFile> replaced) {
  public ConversionPlan {
    files = List.copyOf(files);
    replaced = List.copyOf(replaced);
  }

  /**
   * Looks at manifests only.
   *
   * @param kinds to be replaced; those that rank above the wanted format cannot be and stay
   */
  public static ConversionPlan of(
      Table table, @Nullable Snapshot base, DeleteFormat to, Set<DeleteFormat> kinds) {
    Set<DeleteFormat> from = EnumSet.noneOf(DeleteFormat.class);
    kinds.stream().filter(kind -> kind.compareTo(to) < 0).forEach(from::add);
    if (base == null || from.isEmpty()) {
      return new ConversionPlan(to, base, List.of(), List.of());
    }
    List<DeleteFile> replaced = deletes(table, base, from);
    List<LiveFile> files = new ArrayList<>();
    if (!replaced.isEmpty()) {
      for (LiveFile live : LiveFiles.at(table, base).all()) {
        if (live.deletes().stream().map(DeleteFormat::of).anyMatch(from::contains)) {
          files.add(live);
        }
      }
    }
    return new ConversionPlan(to, base, files, replaced);
  }

  /** Every delete file of some kinds in a snapshot, without statistics; null for no snapshot. */
  public static List<DeleteFile> deletes(
      Table table, @Nullable Snapshot base, Set<DeleteFormat> kinds) {
    List<DeleteFile> found = new ArrayList<>();
    if (base == null) {
      return found;
    }
    for (ManifestFile manifest : base.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> deletes =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile delete : deletes) {
          if (kinds.contains(DeleteFormat.of(delete))) {
            found.add(delete.copyWithoutStats());
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read the delete manifests of " + table.name(), e);
      }
    }
    return found;
  }

  public boolean isEmpty() {
    return replaced.isEmpty();
  }

  /** Rows of the data files concerned, dead ones included. */
  public long rows() {
    return files.stream().mapToLong(live -> live.file().recordCount()).sum();
  }

  /** Bytes of the data files that hold key values to be compared. */
  public long bytesToCompare() {
    return files.stream()
        .filter(LiveFile::hasEqualityDeletes)
        .mapToLong(live -> live.file().fileSizeInBytes())
        .sum();
  }
}
