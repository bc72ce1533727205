package io.rowmark.merge.replay;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexTables;
import io.rowmark.merge.replay.ReplayPlan.SetBack;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes indexes forget what their tables lost: orders of changes, deleted keys, and truncates. An
 * index is used only where it claims to describe its table as it is, so being cut off in between
 * does no harm: what is left behind is an index that is reconciled, or one that is right.
 */
public final class IndexSetBack {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSetBack.class);

  private IndexSetBack() {}

  /**
   * @throws RowmarkException TABLE_STATE when the index is gone
   */
  public static void apply(Catalog catalog, SetBack setBack) {
    Table index =
        IndexTables.find(catalog, setBack.index())
            .orElseThrow(
                () -> RowmarkException.tableState("Index %s is gone.".formatted(setBack.index())));
    index.manageSnapshots().setCurrentSnapshot(setBack.snapshot()).commit();
    LOG.info("Index {} was set back to snapshot {}", setBack.index(), setBack.snapshot());
  }
}
