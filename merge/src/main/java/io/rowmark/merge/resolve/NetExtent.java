package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.least;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import org.apache.iceberg.types.Type;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * How many net changes there are and in which range of the first key column, gathered in one job.
 *
 * @param lowest null when the range is of no use for skipping files
 * @param bases changes whose left-out values come from a stored row
 */
record NetExtent(long rows, long bases, @Nullable Object lowest, @Nullable Object highest) {
  /** Above this, keys and hits are shuffled and not broadcast. */
  private static final long MOST_BROADCAST_ROWS = 1_000_000;

  static NetExtent of(Dataset<Row> net, @Nullable KeySpec key) {
    if (key == null) {
      return new NetExtent(net.count(), 0, null, null);
    }
    KeySpec.KeyColumn leading = key.columns().get(0);
    Column own = col(EventRows.ROW).getField(leading.name());
    Column base = col(NetChanges.BASE).getField(leading.name());
    Row found =
        net.agg(
                count(lit(1)),
                count(col(NetChanges.BASE)),
                min(least(own, base)),
                max(org.apache.spark.sql.functions.greatest(own, base)))
            .first();
    boolean ranged = isRangeSafe(leading.type());
    return new NetExtent(
        found.getLong(0),
        found.getLong(1),
        ranged ? found.get(2) : null,
        ranged ? found.get(3) : null);
  }

  /** The extent of plain keys, in columns {@code k0, k1, …}. */
  static NetExtent ofKeys(Dataset<Row> keys, KeySpec key) {
    Column leading = col(IndexScan.keyName(0));
    Row found = keys.agg(count(lit(1)), min(leading), max(leading)).first();
    boolean ranged = isRangeSafe(key.columns().get(0).type());
    return new NetExtent(
        found.getLong(0), 0, ranged ? found.get(1) : null, ranged ? found.get(2) : null);
  }

  /**
   * Whether Iceberg may skip files by a range of this type. Not for uuid: Iceberg 1.12 compares its
   * bounds with sign and would skip files that hold the key (iceberg issue 14216).
   */
  private static boolean isRangeSafe(Type type) {
    return switch (type.typeId()) {
      case INTEGER, LONG, DATE, TIMESTAMP, STRING, DECIMAL -> true;
      default -> false;
    };
  }

  boolean hasBases() {
    return bases > 0;
  }

  boolean isBroadcastable() {
    return rows + bases <= MOST_BROADCAST_ROWS;
  }
}
