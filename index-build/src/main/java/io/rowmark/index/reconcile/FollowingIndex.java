package io.rowmark.index.reconcile;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.ReconcileInput.Gathered;
import io.rowmark.index.scan.JobDescription;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;

/**
 * The change of an index that follows from a change of its data table which is staged and not
 * committed, so that both can be committed together. It is what a reconcile would do after the
 * commit: entries of files that go are hidden, and those of new files take over the order of their
 * key's last change.
 */
public final class FollowingIndex {
  private final IndexDelta delta;
  private final Written written;
  private final Snapshot snapshot;

  private FollowingIndex(IndexDelta delta, Written written, Snapshot snapshot) {
    this.delta = delta;
    this.written = written;
    this.snapshot = snapshot;
  }

  /**
   * Writes the new entries and stages them.
   *
   * @param index covers the data table as it was before the staged change
   * @param after the data table as it will be
   * @throws RowmarkException CONFLICT when the index has changed since it was loaded; TABLE_STATE
   *     when a key is null or occurs twice in the files that are new
   */
  public static FollowingIndex of(
      SparkSession spark, IndexedTable names, Table index, Table after) {
    KeySpec key = names.keyOf(after);
    IndexCoverage former = IndexTables.state(index).coverage().orElseThrow();
    IndexDelta delta = IndexDelta.begin(names, index, after, key);
    LiveFiles live = LiveFiles.at(after, after.currentSnapshot());
    try (JobDescription ignored =
            JobDescription.set(spark, "Rowmark: let index follow " + names.data());
        ReconcileInput input = new ReconcileInput(spark, names, key, after, live, delta)) {
      KnownFiles known =
          KnownFiles.compare(spark, names, after, key, PartialCoverage.of(former), delta, live);
      FileSetDiff diff = input.checked(known.diff());
      Gathered gathered =
          input.gather(new ReconcileSlice(diff, List.copyOf(new TreeSet<>(diff.toRead())), 0));
      Written written =
          gathered.isEmpty()
              ? Written.NOTHING
              : new EntryChanges(
                      spark, delta, key, input.files(), input.entryFiles(), gathered.sorted())
                  .write();
      if (written.problems().any()) {
        throw written.problems().refusal(names, input.files(), "rowmark index reconcile");
      }
      return staged(delta, written, claim(former, after));
    }
  }

  /**
   * The same for a change that touches no entry: only the claim follows.
   *
   * @throws RowmarkException CONFLICT when the index has changed since it was loaded
   */
  public static FollowingIndex claimOnly(IndexedTable names, Table index, Table after) {
    IndexCoverage former = IndexTables.state(index).coverage().orElseThrow();
    IndexDelta delta = IndexDelta.begin(names, index, after, names.keyOf(after));
    return staged(delta, Written.NOTHING, claim(former, after));
  }

  private static IndexCoverage claim(IndexCoverage former, Table after) {
    return IndexCoverage.of(
        former.tableUuid(),
        after.currentSnapshot().snapshotId(),
        former.keyFingerprint(),
        former.truncatedAt());
  }

  private static FollowingIndex staged(IndexDelta delta, Written written, IndexCoverage claim) {
    delta.stage(written.merged().files(), written.deletes(), claim.toSummary());
    BaseTransaction transaction = (BaseTransaction) delta.transaction();
    return new FollowingIndex(
        delta,
        written,
        Objects.requireNonNull(
            SnapshotUtil.latestSnapshot(transaction.currentMetadata(), SnapshotRef.MAIN_BRANCH)));
  }

  public BaseTransaction transaction() {
    return (BaseTransaction) delta.transaction();
  }

  /** The index before. */
  public Snapshot base() {
    return delta.base();
  }

  /** The snapshot that the commit brings. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** Entries that name another place afterwards. */
  public long moved() {
    return written.merged().added();
  }

  /** Removes what was written, after a refusal. */
  public void discard() {
    delta.discard(written.merged().files(), List.copyOf(written.deletes()));
  }
}
