package io.rowmark.merge.stage;

import io.rowmark.merge.write.WrittenTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * The uncommitted changes of one data table and its index.
 *
 * @param data the data table's change
 * @param index the index's change; null for tables without one
 */
public record StagedTable(WrittenTable written, StagedChange data, @Nullable StagedChange index) {

  /**
   * One table's change, ready to be committed.
   *
   * @param base the table's snapshot before; null if it had none
   * @param snapshot the snapshot that the commit would bring; null when nothing changes but
   *     columns, or nothing at all
   */
  public record StagedChange(
      TableIdentifier name,
      BaseTransaction transaction,
      @Nullable Snapshot base,
      @Nullable Snapshot snapshot) {
    /** Whether there is anything to commit. */
    public boolean changes() {
      return transaction.startMetadata() != transaction.currentMetadata();
    }

    /** Id of the table's current snapshot once this is committed; null if it will have none. */
    public @Nullable Long snapshotIdAfter() {
      Snapshot after = snapshot == null ? base : snapshot;
      return after == null ? null : after.snapshotId();
    }
  }
}
