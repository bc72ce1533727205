package io.rowmark.index.duplicates;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.ReadableKey;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;

/** Finds all rows of a table whose key another row has; needs no index and changes nothing. */
public final class DuplicateFinder {
  private DuplicateFinder() {}

  /**
   * Reads the key columns of all data files.
   *
   * @throws RowmarkException CONFIG for a missing table or an unfit key, and for a history, where
   *     rows of one key are what it is for
   */
  public static DuplicateReport find(SparkSession spark, IndexedTable names) {
    long start = System.nanoTime();
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    ReadableKey.check(names, key);
    if (VersionColumns.of(data.properties()).isPresent()) {
      throw RowmarkException.config(
          "Table %s is a history, which has a row for each version of a key. 'rowmark index verify' finds keys with several current versions."
              .formatted(names.data()));
    }
    Snapshot snapshot = data.currentSnapshot();
    LiveFiles live = LiveFiles.at(data, snapshot);
    Duplicates found = Duplicates.NONE;
    if (!live.isEmpty()) {
      try (JobDescription ignored =
              JobDescription.set(spark, "Rowmark: find repeated keys of " + names.data());
          OlderRows older = OlderRows.in(spark, data, key, live, live.all())) {
        found = older.summary();
      }
    }
    return new DuplicateReport(
        names.data().toString(),
        snapshot == null ? null : snapshot.snapshotId(),
        live.all().size(),
        found,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }
}
