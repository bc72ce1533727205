package io.rowmark.merge.normalize;

import io.rowmark.formats.type.ValueDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;
import scala.collection.JavaConverters;

/**
 * Decoded nested values in the forms that a Spark row takes: a struct is a row of its own, a map is
 * Scala's.
 */
final class NestedRows {
  private NestedRows() {}

  /** The decoder itself, where its column is neither struct nor map nor holds one. */
  static ValueDecoder of(ValueDecoder decoder, Type type) {
    return isPlain(type) ? decoder : value -> row(decoder.decode(value), type);
  }

  private static boolean isPlain(Type type) {
    return type.isPrimitiveType() || (type.isListType() && isPlain(elementOf(type)));
  }

  private static @Nullable Object row(@Nullable Object value, Type type) {
    if (value == null || isPlain(type)) {
      return value;
    } else if (type.isMapType()) {
      Type inner = type.asMapType().valueType();
      Map<@Nullable Object, @Nullable Object> entries = new LinkedHashMap<>();
      ((Map<?, ?>) value).forEach((key, item) -> entries.put(key, row(item, inner)));
      return scala(entries);
    }
    Object[] parts = (Object[]) value;
    @Nullable Object[] row = new @Nullable Object[parts.length];
    for (int i = 0; i < row.length; i++) {
      row[i] = row(parts[i], type.isListType() ? elementOf(type) : field(type, i).type());
    }
    return type.isListType() ? row : RowFactory.create(row);
  }

  /** The older converters, since the newer ones are not in Scala 2.12. */
  @SuppressWarnings("deprecation")
  private static Object scala(Map<?, ?> map) {
    return JavaConverters.mapAsScalaMap(map);
  }

  private static Type elementOf(Type list) {
    return list.asListType().elementType();
  }

  private static Types.NestedField field(Type struct, int position) {
    return struct.asStructType().fields().get(position);
  }
}
