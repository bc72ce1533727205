package io.rowmark.index.resolve;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.key.SortedKeysBuilder;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Gathers wanted keys from Spark's rows, in the types that Iceberg gives its columns in Spark. */
public final class SparkKeys {
  private final Type[] types;
  private final int[] ordinals;
  private final SortedKeysBuilder keys;

  /**
   * @param rows columns of the rows to come. They are checked, since a decimal of another scale
   *     would be read as another number without complaint
   * @param ordinals where in each row the key columns are, in key order
   * @throws RowmarkException INTERNAL when a column has another type than its key column has in
   *     Spark
   */
  public SparkKeys(KeySpec key, StructType rows, int[] ordinals) {
    for (int i = 0; i < ordinals.length; i++) {
      KeySpec.KeyColumn column = key.columns().get(i);
      DataType given = rows.fields()[ordinals[i]].dataType();
      if (!given.equals(SparkSchemaUtil.convert(column.type()))) {
        throw RowmarkException.internal(
            "Wanted keys hold the key column '%s', which is of type %s, as %s. Cast it first."
                .formatted(column.name(), column.type(), given.sql()),
            null);
      }
    }
    this.types = key.columns().stream().map(KeySpec.KeyColumn::type).toArray(Type[]::new);
    this.ordinals = ordinals.clone();
    this.keys = SortedKeys.builder(key);
  }

  /** Gathers keys from rows that have a table's columns. */
  public static SparkKeys ofTable(KeySpec key, Schema table) {
    List<String> columns = table.columns().stream().map(Types.NestedField::name).toList();
    int[] ordinals = key.names().stream().mapToInt(columns::indexOf).toArray();
    return new SparkKeys(key, SparkSchemaUtil.convert(table), ordinals);
  }

  /** Adds the key of a row, which may be reused afterwards. No key column may be null. */
  public void add(InternalRow row) {
    for (int column = 0; column < types.length; column++) {
      int ordinal = ordinals[column];
      Type type = types[column];
      switch (type.typeId()) {
        case BOOLEAN -> keys.setLong(column, row.getBoolean(ordinal) ? 1 : 0);
        case INTEGER, DATE -> keys.setLong(column, row.getInt(ordinal));
        case LONG, TIMESTAMP -> keys.setLong(column, row.getLong(ordinal));
        case STRING -> keys.setBytes(column, row.getUTF8String(ordinal).getBytes());
        case BINARY, FIXED -> keys.setBytes(column, row.getBinary(ordinal).clone());
        case UUID -> keys.set(column, uuid(type, row, ordinal));
        case DECIMAL -> keys.set(column, decimal((Types.DecimalType) type, row, ordinal));
        default -> throw new IllegalArgumentException("Spark cannot hold keys of type " + type);
      }
    }
    keys.next();
  }

  private static Object uuid(Type type, InternalRow row, int ordinal) {
    return KeyForm.encode(type, UUID.fromString(row.getUTF8String(ordinal).toString()));
  }

  private static Object decimal(Types.DecimalType type, InternalRow row, int ordinal) {
    var value = row.getDecimal(ordinal, type.precision(), type.scale());
    return KeyForm.unscaled(type, value.toJavaBigDecimal().setScale(type.scale()).unscaledValue());
  }

  /** See {@link SortedKeysBuilder#build()}. */
  public SortedKeys build() {
    return keys.build();
  }

  /** See {@link SortedKeysBuilder#ascending()}. */
  public SortedKeysBuilder.Ascending ascending() {
    return keys.ascending();
  }

  /** See {@link SortedKeysBuilder#sorted()}. */
  public SortedKeys sorted() {
    return keys.sorted();
  }
}
