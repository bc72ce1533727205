package io.rowmark.index.lookup;

import static org.apache.spark.sql.functions.lit;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.resolve.SparkKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Reads a key as people write it: one text for each key column, in key order, as Spark SQL casts it
 * to the column's type; hexadecimal digits for binary columns.
 */
public final class KeyText {
  private KeyText() {}

  /**
   * @return the one key
   * @throws RowmarkException CONFIG when the values do not fit the key; names columns, not values
   */
  public static SortedKeys read(
      SparkSession spark, IndexedTable names, KeySpec key, List<String> values) {
    if (values.size() != key.columns().size()) {
      throw RowmarkException.config(
          "The key of table %s has the columns %s, but %d values were given."
              .formatted(names.data(), key.names(), values.size()));
    }
    Column[] texts = new Column[values.size()];
    List<String> expressions = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      texts[i] = lit(text(key.columns().get(i), values.get(i))).as("value" + i);
      expressions.add(expression(key.columns().get(i), "value" + i) + " AS key" + i);
    }
    Dataset<Row> parsed =
        spark.range(1).select(texts).selectExpr(expressions.toArray(String[]::new));
    InternalRow row = parsed.queryExecution().executedPlan().executeCollect()[0];
    for (int i = 0; i < texts.length; i++) {
      if (row.isNullAt(i)) {
        throw unfit(key.columns().get(i));
      }
    }
    SparkKeys keys =
        new SparkKeys(key, parsed.schema(), IntStream.range(0, texts.length).toArray());
    keys.add(row);
    return keys.build();
  }

  private static String text(KeySpec.KeyColumn column, String value) {
    return switch (column.type().typeId()) {
      case UUID -> uuid(column, value);
      default -> value;
    };
  }

  private static String uuid(KeySpec.KeyColumn column, String value) {
    try {
      return UUID.fromString(value).toString();
    } catch (IllegalArgumentException e) {
      throw unfit(column);
    }
  }

  private static String expression(KeySpec.KeyColumn column, String name) {
    return switch (column.type().typeId()) {
      case UUID -> name;
      case BINARY, FIXED -> "unhex(%s)".formatted(name);
      default -> "try_cast(%s AS %s)".formatted(name, SparkSchemaUtil.convert(column.type()).sql());
    };
  }

  private static RowmarkException unfit(KeySpec.KeyColumn column) {
    return RowmarkException.config(
        "The value given for key column '%s' is not a %s.".formatted(column.name(), column.type()));
  }
}
