package io.rowmark.index.reconcile;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.ReconcileInput.Gathered;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.util.ScanTaskUtil;
import org.apache.spark.sql.SparkSession;

/** The files of a change of an index, which no commit names yet. */
record Written(MergeOutput merged, List<FileDeletes> deletes) {
  static final Written NOTHING = new Written(MergeOutput.NOTHING, List.of());

  Written {
    deletes = List.copyOf(deletes);
  }

  /**
   * Puts entries and rows together.
   *
   * @throws io.rowmark.formats.failure.RowmarkException TABLE_STATE when a key is null or occurs
   *     twice; nothing is left behind then
   */
  static Written write(
      SparkSession spark,
      IndexedTable names,
      IndexDelta delta,
      KeySpec key,
      ReconcileInput input,
      Gathered gathered) {
    EntryChanges changes =
        new EntryChanges(spark, delta, key, input.files(), input.entryFiles(), gathered.sorted());
    MergeOutput merged = changes.writeRun();
    try {
      if (merged.problems().any()) {
        throw merged.problems().refusal(names, input.files(), "rowmark index reconcile");
      }
      return new Written(merged, merged.dropped() == 0 ? List.of() : changes.writeDeletes());
    } catch (RuntimeException e) {
      delta.discard(merged.files(), List.of());
      throw e;
    } finally {
      changes.release();
    }
  }

  long bytes() {
    long run = merged.files().stream().mapToLong(DataFile::fileSizeInBytes).sum();
    long hidden =
        deletes.stream()
            .flatMap(change -> change.added().stream())
            .mapToLong(ScanTaskUtil::contentSizeInBytes)
            .sum();
    return run + hidden;
  }
}
