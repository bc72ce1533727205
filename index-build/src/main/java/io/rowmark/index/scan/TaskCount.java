package io.rowmark.index.scan;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;

/** How many tasks a sort of many rows by key is cut into. */
public final class TaskCount {
  private static final long MOST_ROWS = 4_000_000;
  private static final long FEWEST_ROWS = 1_000_000;

  private TaskCount() {}

  /**
   * Between 1 and 4 million rows a task: fewer make many small index files, more make tasks spill.
   * Within that, as many as the cluster runs at once.
   */
  public static int forRows(SparkSession spark, long rows) {
    long fewest = Math.floorDiv(rows, MOST_ROWS) + 1;
    long most = Math.floorDiv(rows, FEWEST_ROWS) + 1;
    long parallel = spark.sparkContext().defaultParallelism();
    return Math.toIntExact(Math.max(fewest, Math.min(most, parallel)));
  }

  /** Rows in the files of a snapshot, dead ones included, as its summary says; 0 if it does not. */
  public static long recordsIn(Snapshot snapshot) {
    return PropertyUtil.propertyAsLong(snapshot.summary(), SnapshotSummary.TOTAL_RECORDS_PROP, 0);
  }
}
