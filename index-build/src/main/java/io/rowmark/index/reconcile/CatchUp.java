package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.formats.index.PartialCoverage.Round;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.IndexState;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.duplicates.Removal;
import io.rowmark.index.reconcile.ReconcileInput.Gathered;
import io.rowmark.index.scan.KeyProblems;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * One run that brings an index up to its table, in one commit or several. Where rows of one key are
 * met and the newest is to stay, the deletes of the others are staged, and the run begins again
 * with the table as it will be; they are committed with the next commit of the index.
 */
final class CatchUp {
  /** Others that insert existing keys without end are not waited for. */
  private static final int MOST_REMOVALS = 1000;

  private final SparkSession spark;
  private final IndexedTable names;
  private final KeySpec key;
  private final ReconcileLimits limits;
  private final Consumer<ReconcileStep> done;
  private final CatchUpTotals totals = new CatchUpTotals();

  private Table data;
  private @Nullable Removal pending;
  private boolean isStaged;
  private Duplicates removed = Duplicates.NONE;
  private int removals;

  CatchUp(
      SparkSession spark,
      IndexedTable names,
      KeySpec key,
      Table data,
      ReconcileLimits limits,
      Consumer<ReconcileStep> done) {
    this.spark = spark;
    this.names = names;
    this.key = key;
    this.data = data;
    this.limits = limits;
    this.done = done;
  }

  private enum End {
    COVERED,
    /** The data table is another one now. */
    AGAIN
  }

  /**
   * @param index with a claim of the same table and key, or on its way from one
   */
  CatchUpTotals run(IndexState index) {
    try {
      IndexState state = index;
      while (towardsTable(state) == End.AGAIN) {
        state = IndexTables.state(load());
      }
      return totals;
    } catch (RuntimeException e) {
      if (pending != null) {
        pending.discard();
      }
      throw e;
    }
  }

  /** Rows that were deleted since a newer row has their key. */
  Duplicates removed() {
    return removed;
  }

  /** The snapshot that the index covers now. */
  @Nullable Long covered() {
    return IndexTables.wanted(data, key).dataSnapshotId();
  }

  private Table load() {
    return IndexTables.find(names.catalog(), names.index())
        .orElseThrow(() -> IndexDelta.conflict(names, null));
  }

  private End towardsTable(IndexState state) {
    IndexCoverage claim = state.lastClaim().orElseThrow(() -> IndexDelta.conflict(names, null));
    PartialCoverage progress = state.partial().orElseGet(() -> PartialCoverage.of(claim));
    LiveFiles live = LiveFiles.at(data, data.currentSnapshot());
    IndexDelta delta = IndexDelta.begin(names, state.table(), data, key);
    List<ReconcileSlice> slices = List.of();
    for (int i = 0; i == 0 || i < slices.size(); i++) {
      try (ReconcileInput input = new ReconcileInput(spark, names, key, data, live, delta)) {
        if (i == 0) {
          KnownFiles known = KnownFiles.compare(spark, names, data, key, progress, delta, live);
          FileSetDiff diff = input.checked(known.diff());
          slices = ReconcileSlice.cut(diff, live, limits.rowsPerCommit());
          totals.begin(known.basis(), diff, delta);
        }
        ReconcileSlice slice = slices.get(i);
        Gathered gathered = input.gather(slice);
        Written written =
            gathered.isEmpty() ? Written.NOTHING : write(delta, input, gathered.sorted());
        if (written.problems().any()) {
          settle(live, input, written.problems());
          return End.AGAIN;
        }
        Map<String, String> summary;
        if (slice.isLast()) {
          summary = coverage(claim).toSummary();
        } else {
          progress = progress.after(new Round(currentId(), slice.upTo()));
          summary = progress.toSummary();
        }
        long snapshot = commit(delta, written, summary);
        totals.add(gathered.rows(), written, snapshot);
        done.accept(new ReconcileStep(i + 1, slice.left(), snapshot, slice.files().size()));
      }
      if (i + 1 < slices.size()) {
        delta = IndexDelta.begin(names, load(), data, key);
      }
    }
    return End.COVERED;
  }

  private long currentId() {
    return Objects.requireNonNull(data.currentSnapshot()).snapshotId();
  }

  private IndexCoverage coverage(IndexCoverage former) {
    return IndexCoverage.of(data.uuid(), covered(), key.fingerprint(), former.truncatedAt());
  }

  private Written write(IndexDelta delta, ReconcileInput input, Dataset<Row> sorted) {
    return new EntryChanges(spark, delta, key, input.files(), input.entryFiles(), sorted).write();
  }

  private long commit(IndexDelta delta, Written written, Map<String, String> summary) {
    Removal removal = pending;
    if (removal == null) {
      return delta.commit(written.merged().files(), written.deletes(), summary);
    }
    // from here on its files belong to the commit
    pending = null;
    DuplicateKeys.KeepNewest policy = (DuplicateKeys.KeepNewest) names.duplicates();
    long snapshot = delta.commitWith(removal, policy.commit(), written, summary);
    removed = removed.plus(removal.removed());
    return snapshot;
  }

  /**
   * Stages the deletes of all but the newest rows of repeated keys.
   *
   * @throws io.rowmark.formats.failure.RowmarkException TABLE_STATE when a key is null, or no row
   *     may be deleted
   */
  private void settle(LiveFiles live, ReconcileInput input, KeyProblems problems) {
    if (problems.nullKeys() > 0 || names.duplicates() instanceof DuplicateKeys.Fail) {
      throw problems.refusal(names, input.files(), "rowmark index reconcile");
    }
    if (isStaged) {
      // met behind staged deletes: these are right by themselves, and go first
      landPending();
      data = names.loadData();
      isStaged = false;
      return;
    }
    if (++removals > MOST_REMOVALS) {
      throw problems.refusal(names, input.files(), "rowmark index reconcile");
    }
    Removal removal =
        Removal.stage(spark, names, data, key, live, problems.clashFiles())
            .orElseThrow(() -> problems.refusal(names, input.files(), "rowmark index reconcile"));
    pending = removal;
    isStaged = true;
    data = removal.table();
  }

  private void landPending() {
    Removal removal = pending;
    if (removal != null) {
      pending = null;
      removed = removed.plus(removal.commit(names));
    }
  }
}
