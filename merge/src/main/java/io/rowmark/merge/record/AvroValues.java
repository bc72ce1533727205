package io.rowmark.merge.record;

import io.rowmark.formats.type.ConnectSchema;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The values of Avro data by their schema. Kafka Connect's semantic name ({@code connect.name})
 * decides; else the logical type; else the base type. See the Avro specification, "Logical Types".
 */
final class AvroValues {
  private static final Map<Schema.Type, String> CONNECT_BASE =
      Map.of(
          Schema.Type.INT, "int32",
          Schema.Type.LONG, "int64",
          Schema.Type.FLOAT, "float32",
          Schema.Type.DOUBLE, "float64",
          Schema.Type.BOOLEAN, "boolean",
          Schema.Type.STRING, "string",
          Schema.Type.ENUM, "string",
          Schema.Type.BYTES, "bytes",
          Schema.Type.FIXED, "bytes");

  private static final Map<String, Plain> LOGICAL =
      Map.ofEntries(
          Map.entry("date", Plain.DATE),
          Map.entry("time-millis", Plain.TIME_MILLIS),
          Map.entry("time-micros", Plain.TIME_MICROS),
          Map.entry("timestamp-millis", Plain.INSTANT_MILLIS),
          Map.entry("timestamp-micros", Plain.INSTANT_MICROS),
          Map.entry("timestamp-nanos", Plain.INSTANT_NANOS),
          Map.entry("local-timestamp-millis", Plain.TIMESTAMP_MILLIS),
          Map.entry("local-timestamp-micros", Plain.TIMESTAMP_MICROS),
          Map.entry("local-timestamp-nanos", Plain.TIMESTAMP_NANOS),
          Map.entry("uuid", Plain.UUID),
          // Datastream's own
          Map.entry("time-interval-micros", Plain.DURATION_MICROS));

  /** Datastream's record of an instant and an offset for display, which must not be added. */
  private static final String TIMESTAMP_TZ = "timestampTz";

  private AvroValues() {}

  /** The values of a schema; records may hold themselves only through a field of unknown type. */
  static FileValue of(Schema schema) {
    return of(schema, new ArrayList<>());
  }

  private static FileValue of(Schema schema, List<String> open) {
    FileValue semantic = connect(schema, open);
    if (semantic != null) {
      return semantic;
    }
    String logical = schema.getProp("logicalType");
    if ("decimal".equals(logical)) {
      int precision = ((Number) schema.getObjectProp("precision")).intValue();
      Object scale = schema.getObjectProp("scale");
      return new FileValue(
          new Decimal(precision, scale instanceof Number number ? number.intValue() : 0),
          AvroValues::bytes);
    }
    Plain plain = logical == null ? null : LOGICAL.get(logical);
    if (plain != null) {
      return new FileValue(plain, AvroValues::scalar);
    }
    return base(schema, open);
  }

  /** Null where the schema has no semantic name that is known. */
  private static @Nullable FileValue connect(Schema schema, List<String> open) {
    String name = schema.getProp("connect.name");
    if (name == null) {
      return null;
    }
    Map<String, Object> described = new HashMap<>();
    described.put("name", name);
    if (schema.getObjectProp("connect.parameters") instanceof Map<?, ?> parameters) {
      described.put("parameters", parameters);
    }
    String base = CONNECT_BASE.get(schema.getType());
    if (base != null) {
      described.put("type", base);
      return new FileValue(ConnectSchema.type(described), AvroValues::scalar);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      return null;
    }
    described.put("type", "struct");
    described.put("fields", List.of());
    SourceType type = ConnectSchema.type(described);
    return type instanceof StructOf ? null : new FileValue(type, record(schema, open).read());
  }

  private static FileValue base(Schema schema, List<String> open) {
    return switch (schema.getType()) {
      case INT -> new FileValue(Plain.INT, AvroValues::scalar);
      case LONG -> new FileValue(Plain.LONG, AvroValues::scalar);
      case FLOAT -> new FileValue(Plain.FLOAT, AvroValues::scalar);
      case DOUBLE -> new FileValue(Plain.DOUBLE, AvroValues::scalar);
      case BOOLEAN -> new FileValue(Plain.BOOLEAN, AvroValues::scalar);
      case STRING, ENUM -> new FileValue(Plain.STRING, AvroValues::scalar);
      case BYTES, FIXED -> new FileValue(Plain.BYTES, AvroValues::bytes);
      case NULL -> new FileValue(Plain.INFERRED, value -> null);
      case ARRAY -> list(of(schema.getElementType(), open));
      case MAP -> map(of(schema.getValueType(), open));
      case UNION -> union(schema, open);
      case RECORD -> {
        if (TIMESTAMP_TZ.equals(schema.getName()) && schema.getField("timestamp") != null) {
          int at = schema.getField("timestamp").pos();
          yield new FileValue(
              Plain.INSTANT_MICROS, value -> scalar(((IndexedRecord) value).get(at)));
        }
        yield record(schema, open);
      }
    };
  }

  private static FileValue list(FileValue element) {
    return new FileValue(
        new ListOf(element.type()),
        value -> {
          List<@Nullable Object> items = new ArrayList<>();
          ((Iterable<?>) value).forEach(item -> items.add(element.apply(item)));
          return items;
        });
  }

  private static FileValue map(FileValue values) {
    return new FileValue(
        new MapOf(values.type()),
        value -> {
          Map<String, @Nullable Object> entries = new LinkedHashMap<>();
          ((Map<?, ?>) value)
              .forEach((key, item) -> entries.put(key.toString(), values.apply(item)));
          return entries;
        });
  }

  /** A union with null is the type of its other branch; one of several types is none. */
  private static FileValue union(Schema schema, List<String> open) {
    List<FileValue> branches = new ArrayList<>();
    schema.getTypes().forEach(branch -> branches.add(of(branch, open)));
    List<SourceType> types =
        branches.stream()
            .map(FileValue::type)
            .filter(type -> type != Plain.INFERRED)
            .distinct()
            .toList();
    return new FileValue(
        types.size() == 1 ? types.get(0) : Plain.INFERRED,
        value -> branches.get(GenericData.get().resolveUnion(schema, value)).apply(value));
  }

  private static FileValue record(Schema schema, List<String> open) {
    if (open.contains(schema.getFullName())) {
      return new FileValue(Plain.INFERRED, value -> null);
    }
    open.add(schema.getFullName());
    List<SourceField> fields = new ArrayList<>();
    List<FileValue> values = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      FileValue value = of(field.schema(), open);
      Presence presence = field.schema().isNullable() ? Presence.OPTIONAL : Presence.REQUIRED;
      fields.add(new SourceField(field.name(), value.type(), presence, null));
      values.add(value);
      names.add(field.name());
    }
    open.remove(schema.getFullName());
    return new FileValue(
        new StructOf(fields),
        record -> {
          Map<String, @Nullable Object> row = new LinkedHashMap<>();
          for (int i = 0; i < names.size(); i++) {
            row.put(names.get(i), values.get(i).apply(((IndexedRecord) record).get(i)));
          }
          return row;
        });
  }

  private static Object scalar(Object value) {
    if (value instanceof CharSequence || value instanceof GenericData.EnumSymbol) {
      return value.toString();
    } else if (value instanceof Float f) {
      return f.doubleValue();
    } else if (value instanceof ByteBuffer || value instanceof GenericFixed) {
      return bytes(value);
    }
    return value;
  }

  private static Object bytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    } else if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    return value;
  }
}
