package io.rowmark.index.reconcile;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.Current;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.ReadableKey;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a stale index up to date at the cost of what changed in its data table: reads the keys of
 * files that the index does not know, drops the entries of files that vanished, and applies deletes
 * of others. The result is what a build would make, with orders of changes and deleted keys kept.
 *
 * <p>A reconcile of much is committed in parts. One that is refused or killed leaves what it has
 * committed, and an index that nobody uses; the next one goes on from there.
 */
public final class IndexReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(IndexReconciler.class);

  private final SparkSession spark;
  private final IndexedTable names;
  private final ReconcileLimits limits;
  private final Consumer<ReconcileStep> done;
  private final long start = System.nanoTime();

  private IndexReconciler(
      SparkSession spark,
      IndexedTable names,
      ReconcileLimits limits,
      Consumer<ReconcileStep> done) {
    this.spark = spark;
    this.names = names;
    this.limits = limits;
    this.done = done;
  }

  /** Reconciles with the limits that suit most tables. */
  public static Reconciliation reconcile(SparkSession spark, IndexedTable names) {
    return reconcile(spark, names, ReconcileLimits.DEFAULT, step -> {});
  }

  /**
   * Reconciles and commits the index of a table as it is now.
   *
   * @param done told of each commit
   * @throws RowmarkException CONFIG for a missing table or an unfit key, TABLE_STATE when a key is
   *     null, or occurs twice where {@link IndexedTable#duplicates} does not allow for it, CONFLICT
   *     when the index changed meanwhile
   */
  public static Reconciliation reconcile(
      SparkSession spark,
      IndexedTable names,
      ReconcileLimits limits,
      Consumer<ReconcileStep> done) {
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: reconcile index of " + names.data())) {
      return new IndexReconciler(spark, names, limits, done).reconcile();
    }
  }

  private Reconciliation reconcile() {
    // the index first: what is committed in between makes the data newer, never the index
    Optional<Table> index = IndexTables.find(names.catalog(), names.index());
    if (index.isEmpty()) {
      return new RebuildNeeded("it does not exist");
    }
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    ReadableKey.check(names, key);
    Freshness freshness = IndexTables.freshness(index.get(), data, key);
    if (!(freshness instanceof Freshness.Stale stale)) {
      return new Current();
    }
    // entries and rows of its files do not add up: versions that ended have none
    boolean history = VersionColumns.of(data.properties()).isPresent();
    return !history && differsByFilesOnly(stale, data, key)
        ? new CaughtUp(catchUp(stale, data, key))
        : new RebuildNeeded(stale.reason());
  }

  private static boolean differsByFilesOnly(Freshness.Stale stale, Table data, KeySpec key) {
    IndexCoverage wanted = IndexTables.wanted(data, key);
    return stale.index().lastClaim().filter(claim -> claim.sameSubject(wanted)).isPresent()
        && IndexTables.sameTypes(stale.index().table().schema(), IndexLayout.schema(key));
  }

  private ReconcileReport catchUp(Freshness.Stale stale, Table data, KeySpec key) {
    CatchUp run = new CatchUp(spark, names, key, data, limits, done);
    CatchUpTotals totals = run.run(stale.index());
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    ReconcileReport report = totals.report(stale.reason(), run, millis);
    LOG.info("Reconciled index {} of {}: {}", names.index(), names.data(), report);
    return report;
  }
}
