package io.rowmark.merge.stage;

import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/** The mark that a batch leaves in the summary of its snapshots, so that it can be found again. */
public final class BatchMarker {
  private static final String BATCH = "rowmark.batch-id";
  private static final String PIPELINE = "rowmark.pipeline";

  private BatchMarker() {}

  /** Summary properties of a batch's snapshots. */
  public static Map<String, String> summary(String pipeline, String batchId) {
    return Map.of(BATCH, batchId, PIPELINE, pipeline);
  }

  /** The batch that a snapshot is of; empty for what no batch made. */
  public static Optional<String> of(Snapshot snapshot) {
    return Optional.ofNullable(snapshot.summary().get(BATCH));
  }

  /** Whether a snapshot is of a batch. */
  public static boolean marks(Snapshot snapshot, String batchId) {
    return batchId.equals(snapshot.summary().get(BATCH));
  }

  /**
   * Whether a batch is in a table: in its current snapshot or an ancestor that is still kept. A
   * compaction may sit on top of it.
   */
  public static boolean isIn(Table table, String batchId) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (marks(snapshot, batchId)) {
        return true;
      }
    }
    return false;
  }
}
