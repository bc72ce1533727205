package io.rowmark.index.reconcile;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.ReconcileInput.Gathered;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.Current;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.ReadableKey;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.DeleteFileSet;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a stale index up to date at the cost of what changed in its data table: reads the keys of
 * files that the index does not know, drops the entries of files that vanished, and applies deletes
 * of others. The result is what a build would make, with orders of changes and deleted keys kept.
 *
 * <p>A reconcile that is refused or killed commits nothing; the next one begins again.
 */
public final class IndexReconciler {
  private static final Logger LOG = LoggerFactory.getLogger(IndexReconciler.class);

  private final SparkSession spark;
  private final IndexedTable names;
  private final long start = System.nanoTime();

  private IndexReconciler(SparkSession spark, IndexedTable names) {
    this.spark = spark;
    this.names = names;
  }

  /**
   * Reconciles and commits the index of a table as it is now.
   *
   * @throws RowmarkException CONFIG for a missing table or an unfit key, TABLE_STATE when a key is
   *     null or occurs twice, CONFLICT when the index changed meanwhile
   */
  public static Reconciliation reconcile(SparkSession spark, IndexedTable names) {
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: reconcile index of " + names.data())) {
      return new IndexReconciler(spark, names).reconcile();
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
    return stale.index().coverage().filter(claim -> claim.sameSubject(wanted)).isPresent()
        && IndexTables.sameTypes(stale.index().table().schema(), IndexLayout.schema(key));
  }

  private ReconcileReport catchUp(Freshness.Stale stale, Table data, KeySpec key) {
    IndexCoverage former = stale.index().coverage().orElseThrow();
    IndexDelta delta = IndexDelta.begin(names, stale.index().table(), data, key);
    try (ReconcileInput input = new ReconcileInput(spark, names, key, data, delta)) {
      KnownFiles known =
          KnownFiles.compare(spark, names, data, key, former, delta.base(), input.live());
      FileSetDiff diff = input.checked(known.diff());
      Gathered gathered = input.gather(diff);
      Written written =
          gathered.isEmpty()
              ? Written.NOTHING
              : Written.write(spark, names, delta, key, input, gathered);
      IndexCoverage now =
          IndexCoverage.of(
              data.uuid(),
              IndexTables.wanted(data, key).dataSnapshotId(),
              key.fingerprint(),
              former.truncatedAt());
      long indexSnapshot = delta.commit(written.merged().files(), written.deletes(), now);
      MergeOutput merged = written.merged();
      ReconcileReport report =
          new ReconcileReport(
              known.basis(),
              stale.reason(),
              diff.vanished().size(),
              diff.toRead().size(),
              diff.masked().size() + diff.erased().size(),
              gathered.rows(),
              merged.dropped(),
              merged.added(),
              merged.tombstones(),
              entries(delta.live()) - merged.dropped(),
              written.bytes(),
              now.dataSnapshotId(),
              indexSnapshot,
              TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      LOG.info("Reconciled index {} of {}: {}", names.index(), names.data(), report);
      return report;
    }
  }

  /** Entries of an index, tombstones too: each of its deletes belongs to one of its files. */
  private static long entries(LiveFiles index) {
    DeleteFileSet deletes = DeleteFileSet.create();
    for (LiveFile file : index.all()) {
      deletes.addAll(file.positionalDeletes());
    }
    return index.recordCount() - deletes.stream().mapToLong(file -> file.recordCount()).sum();
  }
}
