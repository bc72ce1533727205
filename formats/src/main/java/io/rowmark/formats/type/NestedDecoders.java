package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.formats.type.ValueRejected.Code;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Decoders of lists, maps and structs, made of the decoders of their parts. */
final class NestedDecoders {
  private NestedDecoders() {}

  static ValueDecoder list(String column, SourceType element, Types.ListType target) {
    ValueDecoder decoder = ValueDecoder.decoder(column + ".element", element, target.elementType());
    return value -> {
      if (value == null) {
        return null;
      }
      if (!(value instanceof List<?> list)) {
        throw ValueRejected.mismatch(value, "a list");
      }
      @Nullable Object[] row = new @Nullable Object[list.size()];
      int next = 0;
      for (Object item : list) {
        row[next++] = required(decoder.decode(item), target.isElementOptional());
      }
      return row;
    };
  }

  static ValueDecoder map(String column, SourceType value, Types.MapType target) {
    ValueDecoder keys = ValueDecoder.decoder(column + ".key", Plain.STRING, target.keyType());
    ValueDecoder values = ValueDecoder.decoder(column + ".value", value, target.valueType());
    return source -> {
      if (source == null) {
        return null;
      }
      Map<@Nullable Object, @Nullable Object> row = new LinkedHashMap<>();
      entries(source)
          .forEach(
              (key, item) ->
                  row.put(
                      keys.decode(key), required(values.decode(item), target.isValueOptional())));
      return row;
    };
  }

  /** The Connect JSON converter writes a map whose keys are no text as a list of pairs. */
  private static Map<String, @Nullable Object> entries(Object source) {
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    if (source instanceof Map<?, ?> map) {
      map.forEach((key, item) -> entries.put(String.valueOf(key), item));
      return entries;
    }
    if (!(source instanceof List<?> pairs)) {
      throw ValueRejected.mismatch(source, "an object");
    }
    for (Object pair : pairs) {
      if (!(pair instanceof List<?> two)
          || two.size() != 2
          || !(two.get(0) instanceof String || two.get(0) instanceof Number)) {
        throw ValueRejected.mismatch(source, "an object");
      }
      entries.put(String.valueOf(two.get(0)), two.get(1));
    }
    return entries;
  }

  static ValueDecoder struct(String column, StructOf source, Types.StructType target) {
    Map<String, ValueDecoder> decoders = new HashMap<>();
    for (SourceField field : source.fields()) {
      Types.NestedField stored = target.field(field.name());
      if (stored != null) {
        decoders.put(
            field.name(),
            ValueDecoder.decoder(column + "." + field.name(), field.type(), stored.type()));
      }
    }
    return structOf(decoders, target);
  }

  static ValueDecoder inferredStruct(String column, Types.StructType target) {
    Map<String, ValueDecoder> decoders = new HashMap<>();
    for (Types.NestedField field : target.fields()) {
      decoders.put(
          field.name(),
          ValueDecoder.decoder(column + "." + field.name(), Plain.INFERRED, field.type()));
    }
    return structOf(decoders, target);
  }

  private static ValueDecoder structOf(
      Map<String, ValueDecoder> decoders, Types.StructType target) {
    return value -> {
      if (value == null) {
        return null;
      }
      if (!(value instanceof Map<?, ?> source)) {
        throw ValueRejected.mismatch(value, "an object");
      }
      source.forEach((name, item) -> requireKnown(decoders, name, item));
      List<Types.NestedField> fields = target.fields();
      @Nullable Object[] row = new @Nullable Object[fields.size()];
      for (int i = 0; i < row.length; i++) {
        Types.NestedField field = fields.get(i);
        ValueDecoder decoder = decoders.get(field.name());
        Object item = decoder == null ? null : decoder.decode(source.get(field.name()));
        row[i] = required(item, field.isOptional());
      }
      return row;
    };
  }

  private static void requireKnown(
      Map<String, ValueDecoder> decoders, Object name, @Nullable Object item) {
    if (item != null && !decoders.containsKey(String.valueOf(name))) {
      throw new ValueRejected(Code.UNKNOWN_COLUMN, "a nested field that the column does not have");
    }
  }

  private static @Nullable Object required(@Nullable Object item, boolean optional) {
    if (item == null && !optional) {
      throw new ValueRejected(Code.TYPE_MISMATCH, "null in a required nested field");
    }
    return item;
  }
}
