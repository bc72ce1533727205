package io.rowmark.merge.plan;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.type.SchemaEvolution.Step;
import io.rowmark.formats.type.SchemaEvolution.WidenColumn;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.compact.FileMerge;
import io.rowmark.index.compact.RunTier;
import io.rowmark.index.resolve.PageLookup;
import io.rowmark.merge.plan.TableOpener.Upkeep;
import io.rowmark.merge.spec.IndexSpec;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.jspecify.annotations.Nullable;

/**
 * Opens the index of a table for one batch: brings it up to date first, and keeps its files few.
 */
final class IndexOpener {
  private final Catalog catalog;
  private final IndexSpec spec;
  private final Upkeep upkeep;

  IndexOpener(Catalog catalog, IndexSpec spec, Upkeep upkeep) {
    this.catalog = catalog;
    this.spec = spec;
    this.upkeep = upkeep;
  }

  /**
   * Makes sure that a table has an index that covers it.
   *
   * @param notes gets what was done
   */
  void bringUp(IndexedTable names, KeySpec key, List<String> notes) {
    Table data = names.loadData();
    Freshness freshness = IndexTables.freshness(catalog, names.index(), data, key);
    if (freshness instanceof Freshness.Missing) {
      IndexTables.create(catalog, names.index(), data, key);
      notes.add("created index " + names.index());
      if (!LiveFiles.at(data, data.currentSnapshot()).isEmpty()) {
        notes.add(upkeep.build(names, "the table has rows and no index"));
      }
    } else if (freshness instanceof Freshness.Stale) {
      notes.add(upkeep.reconcile(names));
    }
  }

  /**
   * Opens the index of a table, with its small files merged if they had become many.
   *
   * @param data as opened: the index must cover what it holds
   * @param steps that the batch takes with the columns of the table
   * @param notes gets what was done
   * @throws RowmarkException CONFLICT when the index does not cover the table any more
   */
  OpenIndex open(
      IndexedTable names, Table data, @Nullable KeySpec key, List<Step> steps, List<String> notes) {
    Table index =
        IndexTables.find(catalog, names.index())
            .orElseThrow(() -> RowmarkException.tableState("Index " + names.index() + " is gone"));
    LiveFiles live = live(index, key);
    Optional<RunTier> tier = RunTier.of(live.all(), spec.mergeRuns(), FileMerge.largest(index));
    if (tier.isPresent()) {
      notes.add(upkeep.merge(index, tier.get()));
      live = live(index, key);
    }
    if (key != null && !(IndexTables.freshness(index, data, key) instanceof Freshness.Fresh)) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s changed while its index was brought up to date. Run again."
              .formatted(names.data()),
          null);
    }
    Transaction transaction = index.newTransaction();
    widenKey(names, index, transaction, steps);
    Optional<IndexCoverage> coverage = IndexTables.state(index).coverage();
    return new OpenIndex(
        names.index(),
        transaction.table(),
        transaction,
        index.currentSnapshot(),
        live,
        coverage.map(IndexCoverage::truncatedAt).orElse(null));
  }

  private static LiveFiles live(Table index, @Nullable KeySpec key) {
    return key == null
        ? LiveFiles.at(index, index.currentSnapshot())
        : LiveFiles.withBounds(
            index, index.currentSnapshot(), PageLookup.boundedColumns(index, key));
  }

  /** A key column that the batch widens is widened in the index by the same commit. */
  private static void widenKey(
      IndexedTable names, Table index, Transaction transaction, List<Step> steps) {
    for (Step step : steps) {
      int at = names.key().indexOf(step.name());
      if (at >= 0 && step instanceof WidenColumn widen) {
        UpdateSchema update = transaction.updateSchema();
        update.updateColumn(index.schema().columns().get(at).name(), widen.to().asPrimitiveType());
        update.commit();
      }
    }
  }
}
