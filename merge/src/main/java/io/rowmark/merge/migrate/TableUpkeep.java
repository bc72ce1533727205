package io.rowmark.merge.migrate;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.reconcile.ReconcileReport;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TablePlan;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/** Brings tables and indexes to where a batch can go on, and says in lines what was done. */
public record TableUpkeep(SparkSession spark) implements TableOpener.Upkeep {

  @Override
  public String build(IndexedTable names, String reason) {
    try {
      BuildReport built = IndexBuilder.build(spark, names);
      return String.format(
          Locale.ROOT,
          "built index %s of %,d rows in %.1f s: %s",
          names.index(),
          built.rows(),
          seconds(built.millis()),
          reason);
    } catch (RowmarkException e) {
      throw with(
          e,
          "The index of table %s must be built (%s), and cannot be: %s"
              .formatted(names.data(), reason, e.getMessage()));
    }
  }

  @Override
  public String reconcile(IndexedTable names) {
    Reconciliation outcome;
    try {
      outcome = IndexReconciler.reconcile(spark, names);
    } catch (RowmarkException e) {
      throw with(
          e,
          "The index of table %s is behind, and cannot catch up: %s"
              .formatted(names.data(), e.getMessage()));
    }
    if (outcome instanceof RebuildNeeded needed) {
      return build(names, needed.reason());
    }
    if (outcome instanceof CaughtUp done) {
      ReconcileReport report = done.report();
      return String.format(
          Locale.ROOT,
          "reconciled index %s in %.1f s: %s; %,d data files gone, %,d read, %,d with new deletes; %,d entries dropped, %,d added",
          names.index(),
          seconds(report.millis()),
          report.reason(),
          report.filesVanished(),
          report.filesRead(),
          report.filesMasked(),
          report.entriesDropped(),
          report.entriesAdded() + report.tombstones());
    }
    return "index %s was brought up to date by someone else".formatted(names.index());
  }

  @Override
  public List<String> migrate(IndexedTable names, TablePlan plan) {
    return Migration.apply(spark, names, plan);
  }

  private static double seconds(long millis) {
    return millis / 1000.0;
  }

  private static RowmarkException with(RowmarkException cause, String message) {
    return new RowmarkException(
        cause.category(),
        cause.retryHelps() ? RowmarkException.Retry.HELPS : RowmarkException.Retry.USELESS,
        message,
        cause);
  }
}
