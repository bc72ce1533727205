package io.rowmark.index.reconcile;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.index.scan.KeyProblems;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.util.ScanTaskUtil;

/**
 * What was written for one commit of an index.
 *
 * @param merged the sorted run; without files where keys have problems
 * @param deletes that hide old entries
 */
public record Written(MergeOutput merged, List<FileDeletes> deletes) {
  static final Written NOTHING = new Written(MergeOutput.NOTHING, List.of());

  public Written {
    deletes = List.copyOf(deletes);
  }

  /** What stands in the way of an index; nothing may be committed then. */
  public KeyProblems problems() {
    return merged.problems();
  }

  /** Bytes of all files. */
  public long bytes() {
    long run = merged.files().stream().mapToLong(DataFile::fileSizeInBytes).sum();
    long hidden =
        deletes.stream()
            .flatMap(change -> change.added().stream())
            .mapToLong(ScanTaskUtil::contentSizeInBytes)
            .sum();
    return run + hidden;
  }
}
