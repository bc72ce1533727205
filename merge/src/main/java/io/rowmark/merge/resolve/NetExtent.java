package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.least;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
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

  static NetExtent of(Dataset<Row> net, List<String> key) {
    if (key.isEmpty()) {
      return new NetExtent(net.count(), 0, null, null);
    }
    Column own = col(EventRows.ROW).getField(key.get(0));
    Column base = col(NetChanges.BASE).getField(key.get(0));
    Row found =
        net.agg(
                count(lit(1)),
                count(col(NetChanges.BASE)),
                min(least(own, base)),
                max(org.apache.spark.sql.functions.greatest(own, base)))
            .first();
    DataType type =
        ((StructType) net.schema().apply(EventRows.ROW).dataType()).apply(key.get(0)).dataType();
    boolean ranged = !(type instanceof BinaryType) && !(type instanceof BooleanType);
    return new NetExtent(
        found.getLong(0),
        found.getLong(1),
        ranged ? found.get(2) : null,
        ranged ? found.get(3) : null);
  }

  boolean hasBases() {
    return bases > 0;
  }

  boolean isBroadcastable() {
    return rows + bases <= MOST_BROADCAST_ROWS;
  }
}
