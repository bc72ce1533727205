package io.rowmark.index.repair;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.duplicates.Removal;
import io.rowmark.index.reconcile.EntryChanges;
import io.rowmark.index.reconcile.IndexDelta;
import io.rowmark.index.reconcile.Written;
import io.rowmark.index.repair.RepairReport.Mended;
import io.rowmark.index.repair.RepairReport.Outcome;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.KeyProblems;
import io.rowmark.index.scan.ReadableKey;
import io.rowmark.index.verify.Difference;
import io.rowmark.index.verify.Difference.Kind;
import io.rowmark.index.verify.DifferingKeys;
import io.rowmark.index.verify.VerifyReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares an index with its table as a verification does, and mends the entries of the keys that
 * differ, in one commit; all other entries stay where they are. The order of a key's last change is
 * kept as far as any of its entries remembers it. What was mended is compared once more.
 */
public final class IndexRepairer {
  private static final Logger LOG = LoggerFactory.getLogger(IndexRepairer.class);

  private final SparkSession spark;
  private final IndexedTable names;
  private final Mode mode;
  private final long start = System.nanoTime();

  /** What is to be done about differences. */
  public enum Mode {
    /** They are only reported. */
    LOOK,
    MEND
  }

  private IndexRepairer(SparkSession spark, IndexedTable names, Mode mode) {
    this.spark = spark;
    this.names = names;
    this.mode = mode;
  }

  /**
   * Repairs the index of a table as it is now.
   *
   * @throws RowmarkException CONFIG for a missing table or an unfit key, TABLE_STATE when there is
   *     no index of this table and key, or a key is null or, where {@link IndexedTable#duplicates}
   *     does not allow for it, occurs twice. CONFLICT when the index changed meanwhile
   */
  public static RepairReport repair(SparkSession spark, IndexedTable names, Mode mode) {
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: repair index of " + names.data())) {
      return new IndexRepairer(spark, names, mode).repair();
    }
  }

  private RepairReport repair() {
    Duplicates removed = Duplicates.NONE;
    while (true) {
      Pass pass = pass(removed);
      if (pass.report() != null) {
        LOG.info("Repaired index {} of {}: {}", names.index(), names.data(), pass.report());
        return pass.report();
      }
      removed = removed.plus(pass.removed());
    }
  }

  /**
   * One comparison.
   *
   * @param report null when older rows of repeated keys were deleted instead
   */
  private record Pass(@Nullable RepairReport report, Duplicates removed) {}

  private Pass pass(Duplicates removed) {
    Table index =
        IndexTables.find(names.catalog(), names.index())
            .filter(table -> table.currentSnapshot() != null)
            .orElseThrow(() -> rebuild("does not exist or was never built"));
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    ReadableKey.check(names, key);
    IndexTables.checkKey(index, key, names.data());
    IndexCoverage former = lastClaim(index, data, key);
    LiveFiles live = LiveFiles.at(data, data.currentSnapshot());
    IndexDelta delta = IndexDelta.begin(names, index, data, key);
    try (Sides sides = new Sides(spark, names, key, data, live);
        DifferingKeys differing = sides.differing(delta)) {
      DifferingKeys.Found found = differing.found();
      Freshness freshness = IndexTables.freshness(index, data, key);
      Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
      List<Difference> examples = new ArrayList<>();
      if (freshness instanceof Freshness.Stale stale) {
        kinds.put(Kind.STALE_COVERAGE, 1L);
        examples.add(
            new Difference(
                Kind.STALE_COVERAGE,
                null,
                null,
                "%s: %s".formatted(Kind.STALE_COVERAGE.meaning(), stale.reason())));
      }
      kinds.putAll(found.kinds());
      found.examples().stream()
          .limit(VerifyReport.MOST_EXAMPLES - examples.size())
          .forEach(examples::add);
      if (kinds.isEmpty() || mode == Mode.LOOK) {
        Outcome outcome = kinds.isEmpty() ? Outcome.SOUND : Outcome.DIFFERS;
        return new Pass(report(outcome, kinds, examples, null, removed, data), removed);
      }
      Written written = write(delta, key, sides, differing, found);
      if (written.problems().any()) {
        return new Pass(null, remove(data, key, live, sides, written.problems()));
      }
      IndexCoverage now =
          IndexCoverage.of(
              data.uuid(),
              IndexTables.wanted(data, key).dataSnapshotId(),
              key.fingerprint(),
              former.truncatedAt());
      long snapshot = delta.commit(written.merged().files(), written.deletes(), now.toSummary());
      int readAgain = found.count() == 0 ? 0 : sides.check(differing, snapshot);
      Mended mended =
          new Mended(
              written.merged().dropped(),
              written.merged().added(),
              written.merged().tombstones(),
              written.bytes(),
              readAgain,
              snapshot);
      return new Pass(report(Outcome.MENDED, kinds, examples, mended, removed, data), removed);
    }
  }

  private RepairReport report(
      Outcome outcome,
      Map<Kind, Long> kinds,
      List<Difference> examples,
      @Nullable Mended mended,
      Duplicates removed,
      Table data) {
    Snapshot snapshot = data.currentSnapshot();
    return new RepairReport(
        names.data().toString(),
        names.index().toString(),
        outcome,
        kinds,
        examples,
        mended,
        removed,
        snapshot == null ? null : snapshot.snapshotId(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }

  private Written write(
      IndexDelta delta,
      KeySpec key,
      Sides sides,
      DifferingKeys differing,
      DifferingKeys.Found found) {
    return new EntryChanges(
            spark,
            delta,
            key,
            sides.files(),
            sides.entryFiles(),
            sides.sorted(differing, found.rows() + found.entries()))
        .write();
  }

  private Duplicates remove(
      Table data, KeySpec key, LiveFiles live, Sides sides, KeyProblems problems) {
    boolean mayRemove =
        problems.nullKeys() == 0
            && names.duplicates() instanceof DuplicateKeys.KeepNewest
            && VersionColumns.of(data.properties()).isEmpty();
    Optional<Removal> removal =
        mayRemove
            ? Removal.stage(spark, names, data, key, live, problems.clashFiles())
            : Optional.empty();
    return removal
        .orElseThrow(() -> problems.refusal(names, sides.files(), "rowmark index repair"))
        .commit(names);
  }

  /**
   * The last thing that the index claimed; what others did to its content since is mended.
   *
   * @throws RowmarkException TABLE_STATE when it speaks of another table, key or layout: then no
   *     entry and no order is worth keeping
   */
  private IndexCoverage lastClaim(Table index, Table data, KeySpec key) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(index)) {
      Optional<IndexCoverage> claim =
          IndexCoverage.of(snapshot)
              .or(() -> PartialCoverage.of(snapshot).map(PartialCoverage::former));
      if (claim.isPresent()) {
        return claim
            .filter(one -> one.sameSubject(IndexTables.wanted(data, key)))
            .orElseThrow(() -> rebuild("was built for another table or key"));
      }
    }
    throw rebuild("does not say which table it was built for");
  }

  private RowmarkException rebuild(String what) {
    return RowmarkException.tableState(
        "Index %s of table %s %s, so there is nothing to repair. Run 'rowmark index build --table %s'."
            .formatted(names.index(), names.data(), what, names.data()));
  }
}
