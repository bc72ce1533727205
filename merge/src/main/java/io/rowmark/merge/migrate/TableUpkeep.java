package io.rowmark.merge.migrate;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.compact.FileMerge;
import io.rowmark.index.compact.FileMerge.Merged;
import io.rowmark.index.compact.RunTier;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.reconcile.ReconcileReport;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.plan.TablePlan;
import java.util.List;
import java.util.Locale;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings tables and indexes to where a batch can go on, and says in lines what was done. */
public record TableUpkeep(SparkSession spark) implements TableOpener.Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(TableUpkeep.class);

  @Override
  public String build(IndexedTable names, String reason) {
    try {
      BuildReport built = IndexBuilder.build(spark, names);
      return String.format(
          Locale.ROOT,
          "built index %s of %,d rows in %.1f s: %s%s",
          names.index(),
          built.rows(),
          seconds(built.millis()),
          reason,
          deleted(built.duplicates()));
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
          "reconciled index %s in %.1f s: %s; %,d data files gone, %,d read, %,d with new deletes; %,d entries dropped, %,d added%s",
          names.index(),
          seconds(report.millis()),
          report.reason(),
          report.filesVanished(),
          report.filesRead(),
          report.filesMasked(),
          report.entriesDropped(),
          report.entriesAdded() + report.tombstones(),
          deleted(report.duplicates()));
    }
    return "index %s was brought up to date by someone else".formatted(names.index());
  }

  /** A merge that fails has changed nothing, and the batch can do without. */
  @Override
  public String merge(Table index, RunTier tier) {
    try {
      Merged merged = FileMerge.merge(spark, index, tier);
      return String.format(
          Locale.ROOT,
          "merged %,d files of the index, %,d bytes, that batches had added",
          merged.files(),
          merged.bytes());
    } catch (RuntimeException e) {
      LOG.warn("Cannot merge {} files of index {}", tier.files(), index.name(), e);
      index.refresh();
      return "%,d files of the index were to be merged, and could not be: %s"
          .formatted(tier.files(), e.getMessage());
    }
  }

  @Override
  public List<String> migrate(IndexedTable names, TablePlan plan) {
    return Migration.apply(spark, names, plan);
  }

  private static String deleted(Duplicates duplicates) {
    return duplicates.isEmpty() ? "" : "; deleted " + duplicates.text();
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
