package io.rowmark.merge;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.stage.BatchMarker;

/**
 * Batches whose ordered commit was given up because the table did not have them, while their
 * requests may still have been under way.
 */
final class GivenUpBatches {
  private GivenUpBatches() {}

  /**
   * Makes sure that what is added to a table is not in it by a batch that was given up. It cannot
   * come later either: the catalog then refuses one of the two.
   *
   * @throws RowmarkException CONFLICT when it landed since the ledger was read
   */
  static void check(Ledger ledger, OpenTable table) {
    for (String batch : ledger.abandonedOf(table.spec().table())) {
      if (BatchMarker.isIn(table.table(), batch)) {
        throw new RowmarkException(
            Category.CONFLICT,
            RowmarkException.Retry.HELPS,
            "Batch %s of table %s was given up, and landed while this batch began. Run again: it will be taken for done."
                .formatted(batch, table.name()),
            null);
      }
    }
  }
}
