package io.rowmark.index;

import io.rowmark.formats.index.IndexCoverage;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an index follow a commit of its data table that moved no row: only the claim changes. Where
 * that cannot be, the index stays behind, which the next reconcile finds out by itself.
 */
public final class IndexCarry {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCarry.class);

  private IndexCarry() {}

  /** What became of the index. */
  public enum Outcome {
    /** There is no index. */
    NONE,
    /** It covers the new snapshot. */
    CARRIED,
    /** It covers an older snapshot and must be reconciled. */
    BEHIND
  }

  /**
   * @param data uuid and name of the table; it may be loaded before or after the commit
   * @param before the snapshot that the work began with
   * @param after the commit; if it does not follow directly, others changed rows in between
   */
  public static Outcome over(
      Catalog catalog, TableIdentifier name, Table data, Snapshot before, Snapshot after) {
    if (!IndexTables.exists(catalog, name)) {
      return Outcome.NONE;
    }
    Table index = catalog.loadTable(name);
    Optional<IndexCoverage> claim = IndexTables.state(index).coverage();
    Snapshot head = index.currentSnapshot();
    boolean direct = Objects.equals(after.parentId(), before.snapshotId());
    if (claim.isEmpty() || head == null || !direct || !covers(claim.get(), data, before)) {
      return Outcome.BEHIND;
    }
    IndexCoverage next =
        IndexCoverage.of(
            data.uuid(),
            after.snapshotId(),
            claim.get().keyFingerprint(),
            claim.get().truncatedAt());
    return commit(index, head, next);
  }

  private static boolean covers(IndexCoverage claim, Table data, Snapshot snapshot) {
    return claim.tableUuid().equals(data.uuid())
        && claim.codecVersion() == IndexCoverage.CODEC_VERSION
        && Objects.equals(claim.dataSnapshotId(), snapshot.snapshotId());
  }

  private static Outcome commit(Table index, Snapshot head, IndexCoverage next) {
    RowDelta delta = index.newRowDelta();
    next.toSummary().forEach(delta::set);
    try {
      // an index that someone else changed meanwhile may cover another snapshot
      delta.validateWith(OnTopOf.of(head)).commit();
      return Outcome.CARRIED;
    } catch (ValidationException | CommitFailedException e) {
      return Outcome.BEHIND;
    } catch (RuntimeException e) {
      // carried or not, the claim is true: it names the snapshot that its entries describe
      LOG.warn("The catalog gave no clear answer to the commit of index {}", index.name(), e);
      return Outcome.BEHIND;
    }
  }
}
