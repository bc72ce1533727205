package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.index.IndexedTable;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.plan.OpenTable;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Leaves out changes that the table has already, before changes are folded. A repeated change must
 * not lend its values to a newer one that leaves values out: what was applied after it, in an
 * earlier batch, may have changed them. Only batches with left-out values need this; elsewhere the
 * last change of a key decides alone.
 */
final class AppliedChanges {
  private static final String NUMBER = "applied_order";

  private final IndexedTable names;
  private final OpenTable table;

  AppliedChanges(IndexedTable names, OpenTable table) {
    this.names = names;
    this.table = table;
  }

  /** The changes that are younger than what the index says was applied to their keys. */
  Dataset<Row> without(Dataset<Row> changes, IndexScan scan) {
    List<String> key = names.key();
    Column[] keys = new Column[key.size()];
    Column match = lit(true);
    for (int i = 0; i < keys.length; i++) {
      Column own = col(EventRows.ROW).getField(key.get(i));
      keys[i] = own.as(IndexScan.keyName(i));
      match =
          match.and(
              col("c." + EventRows.ROW)
                  .getField(key.get(i))
                  .equalTo(col("a." + IndexScan.keyName(i))));
    }
    Dataset<Row> wanted = changes.select(keys).distinct();
    NetExtent extent = NetExtent.ofKeys(wanted, table.requireKey());
    Dataset<Row> hits =
        scan.find(wanted, extent)
            .withColumn(NUMBER, col("place").getField(ResolvedRows.APPLIED_ORDER))
            .filter(col(NUMBER).isNotNull());
    Dataset<Row> applied = extent.isBroadcastable() ? broadcast(hits) : hits;
    Column younger =
        col("a." + NUMBER)
            .isNull()
            .or(col("c." + EventRows.ORDER).isNull())
            .or(col("c." + EventRows.ORDER).gt(col("a." + NUMBER)));
    return changes.as("c").join(applied.as("a"), match, "left").filter(younger).select(col("c.*"));
  }
}
