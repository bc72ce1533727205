package io.rowmark.index.write;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/** A Spark row seen as Iceberg's partition transforms want it; nested fields by their parents. */
public final class RowStruct implements StructLike {
  private final List<Types.NestedField> fields;
  private final DataType[] types;
  private @Nullable InternalRow row;

  public RowStruct(Schema schema) {
    this(schema.asStruct());
  }

  private RowStruct(Types.StructType struct) {
    this.fields = struct.fields();
    this.types =
        fields.stream()
            .map(field -> SparkSchemaUtil.convert(field.type()))
            .toArray(DataType[]::new);
  }

  public RowStruct wrap(InternalRow next) {
    this.row = next;
    return this;
  }

  @Override
  public int size() {
    return fields.size();
  }

  @Override
  public <T> @Nullable T get(int position, Class<T> javaClass) {
    InternalRow current = row;
    if (current == null || current.isNullAt(position)) {
      return null;
    }
    return javaClass.cast(
        value(current.get(position, types[position]), fields.get(position).type()));
  }

  private static Object value(Object value, Type type) {
    return switch (type.typeId()) {
      case STRING -> value.toString();
      case UUID -> UUID.fromString(value.toString());
      case DECIMAL -> ((Decimal) value).toJavaBigDecimal();
      case BINARY, FIXED -> ByteBuffer.wrap((byte[]) value);
      case STRUCT -> new RowStruct(type.asStructType()).wrap((InternalRow) value);
      default -> value;
    };
  }

  @Override
  public <T> void set(int position, T value) {
    throw new UnsupportedOperationException("Rows are not changed here");
  }
}
