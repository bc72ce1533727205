package io.rowmark.index.scan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexedTable;
import org.apache.iceberg.spark.SparkSchemaUtil;

/** Whether Spark can read a key at all. */
public final class ReadableKey {
  private ReadableKey() {}

  /**
   * @throws RowmarkException CONFIG when a key column has a type that Spark cannot read from
   *     Iceberg
   */
  public static void check(IndexedTable names, KeySpec key) {
    for (KeySpec.KeyColumn column : key.columns()) {
      try {
        SparkSchemaUtil.convert(column.type());
      } catch (UnsupportedOperationException e) {
        throw RowmarkException.config(
            "Key column '%s' of table %s has the type %s, which Spark cannot read. Choose other key columns."
                .formatted(column.name(), names.data(), column.type()));
      }
    }
  }
}
