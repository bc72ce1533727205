package io.rowmark.index.scan;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.rowmark.formats.key.KeySpec;
import org.apache.iceberg.types.Type;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * How many keys there are, and in which range, so that a scan can skip what lies outside.
 *
 * @param condition on rows in the shape of {@link KeyedRows}
 */
public record KeyExtent(long keys, Column condition) {

  /**
   * @param keys the key columns by their common names
   */
  public static KeyExtent of(KeySpec key, Dataset<Row> keys) {
    Column leading = col(KeyedRows.keyNames(key)[0]);
    Row extent = keys.agg(count(lit(1)), min(leading), max(leading)).first();
    boolean usable = isRangeSafe(key.columns().get(0).type()) && !extent.isNullAt(1);
    Column condition =
        usable
            ? leading.geq(lit(extent.get(1))).and(leading.leq(lit(extent.get(2))))
            : lit(extent.getLong(0) > 0);
    return new KeyExtent(extent.getLong(0), condition);
  }

  /** Not for uuid, whose bounds Iceberg 1.12 compares with sign (apache/iceberg#14216). */
  private static boolean isRangeSafe(Type type) {
    return switch (type.typeId()) {
      case INTEGER, LONG, DATE, TIMESTAMP, STRING, DECIMAL -> true;
      default -> false;
    };
  }
}
