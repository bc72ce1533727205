package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The values of Parquet data by their schema; see parquet-format, "LogicalTypes". A Kafka Connect
 * semantic name in the Avro schema of the footer decides, since the Parquet schema has no place for
 * it.
 */
final class ParquetValues {
  private ParquetValues() {}

  /**
   * The values of a schema.
   *
   * @param avro the Avro schema that the writer left in the footer; null for none
   */
  static FileValue of(GroupType schema, @Nullable Schema avro) {
    return struct(schema, avro);
  }

  private static FileValue of(Type type, @Nullable Schema avro) {
    if (type.isPrimitive()) {
      PrimitiveType primitive = type.asPrimitiveType();
      FileValue stored = ParquetPrimitives.of(primitive);
      return avro != null && avro.getProp("connect.name") != null
          ? new FileValue(AvroValues.of(avro).type(), ParquetPrimitives.bare(primitive))
          : stored;
    }
    GroupType group = type.asGroupType();
    LogicalTypeAnnotation annotation = group.getLogicalTypeAnnotation();
    if (annotation instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
      return list(group, avro);
    } else if (annotation instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation) {
      return map(group, avro);
    }
    FileValue struct = struct(group, avro);
    SourceType named =
        avro != null && avro.getProp("connect.name") != null
            ? AvroValues.of(avro).type()
            : struct.type();
    return named instanceof StructOf ? struct : new FileValue(named, struct.read());
  }

  private static FileValue struct(GroupType group, @Nullable Schema avro) {
    List<SourceField> fields = new ArrayList<>();
    List<FileValue> values = new ArrayList<>();
    for (Type field : group.getFields()) {
      Schema inner = field(avro, field.getName());
      FileValue value =
          field.isRepetition(Type.Repetition.REPEATED) ? repeated(field) : of(field, inner);
      Presence presence =
          field.isRepetition(Type.Repetition.REQUIRED) ? Presence.REQUIRED : Presence.OPTIONAL;
      fields.add(new SourceField(field.getName(), value.type(), presence, null));
      values.add(value);
    }
    return new FileValue(
        new StructOf(fields),
        value -> {
          Group row = (Group) value;
          Map<String, @Nullable Object> entries = new LinkedHashMap<>();
          for (int i = 0; i < values.size(); i++) {
            boolean many = group.getType(i).isRepetition(Type.Repetition.REPEATED);
            entries.put(
                group.getFieldName(i),
                many ? values.get(i).apply(all(row, i)) : values.get(i).apply(value(row, i, 0)));
          }
          return entries;
        });
  }

  private static FileValue repeated(Type field) {
    FileValue element = of(field, null);
    return elements(element);
  }

  private static FileValue elements(FileValue element) {
    return new FileValue(
        new ListOf(element.type()),
        value -> {
          List<@Nullable Object> items = new ArrayList<>();
          ((List<?>) value).forEach(item -> items.add(element.apply(item)));
          return items;
        });
  }

  /** Three levels, or two as older writers have it. */
  private static FileValue list(GroupType group, @Nullable Schema avro) {
    Type middle = group.getType(0);
    Schema inner =
        avro != null && avro.getType() == Schema.Type.ARRAY ? bare(avro.getElementType()) : null;
    boolean threeLevels =
        !middle.isPrimitive()
            && middle.asGroupType().getFieldCount() == 1
            && !middle.getName().equals("array")
            && !middle.getName().endsWith("_tuple");
    FileValue element = of(threeLevels ? middle.asGroupType().getType(0) : middle, inner);
    FileValue elements = elements(element);
    return new FileValue(
        elements.type(),
        value -> {
          Group list = (Group) value;
          List<@Nullable Object> items = new ArrayList<>();
          for (int i = 0; i < list.getFieldRepetitionCount(0); i++) {
            items.add(threeLevels ? value(list.getGroup(0, i), 0, 0) : value(list, 0, i));
          }
          return elements.apply(items);
        });
  }

  private static FileValue map(GroupType group, @Nullable Schema avro) {
    GroupType entry = group.getType(0).asGroupType();
    Schema inner =
        avro != null && avro.getType() == Schema.Type.MAP ? bare(avro.getValueType()) : null;
    FileValue keys = of(entry.getType(0), null);
    FileValue values = of(entry.getType(1), inner);
    return new FileValue(
        new MapOf(values.type()),
        value -> {
          Group map = (Group) value;
          Map<String, @Nullable Object> entries = new LinkedHashMap<>();
          for (int i = 0; i < map.getFieldRepetitionCount(0); i++) {
            Group pair = map.getGroup(0, i);
            entries.put(
                String.valueOf(keys.apply(value(pair, 0, 0))), values.apply(value(pair, 1, 0)));
          }
          return entries;
        });
  }

  private static List<@Nullable Object> all(Group row, int field) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < row.getFieldRepetitionCount(field); i++) {
      values.add(value(row, field, i));
    }
    return values;
  }

  /** The value as stored: Integer, Long, Float, Double, Boolean, Binary or Group. */
  private static @Nullable Object value(Group row, int field, int index) {
    if (row.getFieldRepetitionCount(field) <= index) {
      return null;
    }
    Type type = row.getType().getType(field);
    if (!type.isPrimitive()) {
      return row.getGroup(field, index);
    }
    return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> row.getInteger(field, index);
      case INT64 -> row.getLong(field, index);
      case FLOAT -> row.getFloat(field, index);
      case DOUBLE -> row.getDouble(field, index);
      case BOOLEAN -> row.getBoolean(field, index);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> row.getBinary(field, index);
      case INT96 -> row.getInt96(field, index);
    };
  }

  private static @Nullable Schema field(@Nullable Schema avro, String name) {
    if (avro == null || avro.getType() != Schema.Type.RECORD || avro.getField(name) == null) {
      return null;
    }
    return bare(avro.getField(name).schema());
  }

  /** The schema without null. */
  private static Schema bare(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    for (Schema branch : schema.getTypes()) {
      if (branch.getType() != Schema.Type.NULL) {
        return branch;
      }
    }
    return schema;
  }
}
