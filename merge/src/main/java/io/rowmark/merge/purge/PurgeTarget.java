package io.rowmark.merge.purge;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.purge.PurgeBase;
import io.rowmark.index.purge.PurgeBase.Part;
import io.rowmark.index.purge.PurgeBase.Trust;
import io.rowmark.index.purge.WantedKeys;
import io.rowmark.merge.migrate.TableUpkeep;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * A table and its index, opened for one attempt: what is looked at, and the transactions that were
 * begun before anything was.
 *
 * @param index null for a table without one
 * @param truncatedAt see {@link IndexCoverage#truncatedAt}
 * @param notes what was done to open it
 */
record PurgeTarget(
    IndexedTable names,
    KeySpec key,
    PurgeBase base,
    BaseTransaction data,
    @Nullable BaseTransaction index,
    byte @Nullable [] truncatedAt,
    List<String> notes) {

  /** Whether an index that is behind is brought up to date. */
  enum Upkeep {
    DONE,
    /** Nothing is to be changed: an index that is behind is not relied on. */
    LEFT
  }

  static PurgeTarget open(IndexedTable names, SortedKeys keys, TableUpkeep tables, Upkeep upkeep) {
    List<String> notes = new ArrayList<>();
    bringUp(names, tables, upkeep, notes);
    // the index first: what is committed in between makes the data newer, never the index.
    // Beginning a transaction loads the table anew, so that both are of one state
    Table index = IndexTables.find(names.catalog(), names.index()).orElse(null);
    BaseTransaction ofIndex = index == null ? null : (BaseTransaction) index.newTransaction();
    Table data = names.loadData();
    BaseTransaction ofData = (BaseTransaction) data.newTransaction();
    KeySpec key = names.keyOf(data);
    WantedKeys wanted = new WantedKeys(keys, key);
    Part rows = Part.of(data, wanted);
    if (index == null) {
      notes.add("there is no index, so that all data files are looked into");
      PurgeBase base = new PurgeBase(rows, null, Trust.SOME_ROWS);
      return new PurgeTarget(names, key, base, ofData, null, null, notes);
    }
    boolean fresh = IndexTables.freshness(index, data, key) instanceof Freshness.Fresh;
    if (!fresh && upkeep == Upkeep.DONE) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Table %s changed while its index was brought up to date. Run again."
              .formatted(names.data()),
          null);
    }
    IndexTables.checkKey(index, key, names.data());
    boolean history = VersionColumns.of(data.properties()).isPresent();
    PurgeBase base =
        new PurgeBase(
            rows,
            Part.of(index, wanted.ofIndex(index)),
            fresh && !history ? Trust.EVERY_LIVE_ROW : Trust.SOME_ROWS);
    return new PurgeTarget(
        names,
        key,
        base,
        ofData,
        ofIndex,
        IndexTables.state(index).coverage().map(IndexCoverage::truncatedAt).orElse(null),
        notes);
  }

  private static void bringUp(
      IndexedTable names, TableUpkeep tables, Upkeep upkeep, List<String> notes) {
    if (!IndexTables.exists(names.catalog(), names.index())) {
      return;
    }
    Table data = names.loadData();
    Freshness freshness =
        IndexTables.freshness(names.catalog(), names.index(), data, names.keyOf(data));
    if (freshness instanceof Freshness.Stale stale) {
      notes.add(
          upkeep == Upkeep.DONE
              ? tables.reconcile(names)
              : "the index is behind (%s), so that all data files are looked into"
                  .formatted(stale.reason()));
    }
  }
}
