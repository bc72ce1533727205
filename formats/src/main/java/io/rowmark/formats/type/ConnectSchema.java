package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Bits;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schemas that the Kafka Connect JSON converter puts beside each value ({@code type,
 * optional, name, parameters, items, keys, values, fields, field, default}). The semantic name
 * decides; a name not known here leaves the base type.
 */
public final class ConnectSchema {
  private static final String DEBEZIUM_TIME = "io.debezium.time.";
  private static final String DEBEZIUM_DATA = "io.debezium.data.";
  private static final String CONNECT_DATA = "org.apache.kafka.connect.data.";
  private static final int UNTOLD_PRECISION = 38;

  private static final Map<String, Plain> BASE =
      Map.ofEntries(
          Map.entry("int8", Plain.INT),
          Map.entry("int16", Plain.INT),
          Map.entry("int32", Plain.INT),
          Map.entry("int64", Plain.LONG),
          Map.entry("float", Plain.FLOAT),
          Map.entry("float32", Plain.FLOAT),
          Map.entry("double", Plain.DOUBLE),
          Map.entry("float64", Plain.DOUBLE),
          Map.entry("boolean", Plain.BOOLEAN),
          Map.entry("string", Plain.STRING),
          Map.entry("bytes", Plain.BYTES));

  private static final Map<String, Plain> SEMANTIC =
      Map.ofEntries(
          Map.entry(DEBEZIUM_TIME + "Date", Plain.DATE),
          Map.entry(DEBEZIUM_TIME + "Time", Plain.TIME_MILLIS),
          Map.entry(DEBEZIUM_TIME + "MicroTime", Plain.TIME_MICROS),
          Map.entry(DEBEZIUM_TIME + "NanoTime", Plain.TIME_NANOS),
          Map.entry(DEBEZIUM_TIME + "Timestamp", Plain.TIMESTAMP_MILLIS),
          Map.entry(DEBEZIUM_TIME + "MicroTimestamp", Plain.TIMESTAMP_MICROS),
          Map.entry(DEBEZIUM_TIME + "NanoTimestamp", Plain.TIMESTAMP_NANOS),
          Map.entry(DEBEZIUM_TIME + "ZonedTimestamp", Plain.ZONED_TIMESTAMP),
          Map.entry(DEBEZIUM_TIME + "ZonedTime", Plain.ZONED_TIME),
          Map.entry(DEBEZIUM_TIME + "IsoDate", Plain.ISO_DATE),
          Map.entry(DEBEZIUM_TIME + "IsoTime", Plain.ISO_TIME),
          Map.entry(DEBEZIUM_TIME + "IsoTimestamp", Plain.ISO_TIMESTAMP),
          Map.entry(DEBEZIUM_TIME + "StructuredDate", Plain.STRUCTURED_DATE),
          Map.entry(DEBEZIUM_TIME + "StructuredTime", Plain.STRUCTURED_TIME),
          Map.entry(DEBEZIUM_TIME + "StructuredTimestamp", Plain.STRUCTURED_TIMESTAMP),
          Map.entry(DEBEZIUM_TIME + "StructuredZonedTimestamp", Plain.STRUCTURED_ZONED_TIMESTAMP),
          Map.entry(DEBEZIUM_TIME + "MicroDuration", Plain.DURATION_MICROS),
          Map.entry(DEBEZIUM_TIME + "NanoDuration", Plain.DURATION_NANOS),
          Map.entry(DEBEZIUM_DATA + "Uuid", Plain.UUID_TEXT),
          Map.entry(DEBEZIUM_DATA + "VariableScaleDecimal", Plain.VARIABLE_DECIMAL_TEXT),
          Map.entry(CONNECT_DATA + "Date", Plain.DATE),
          Map.entry(CONNECT_DATA + "Time", Plain.TIME_MILLIS),
          Map.entry(CONNECT_DATA + "Timestamp", Plain.TIMESTAMP_MILLIS));

  private ConnectSchema() {}

  /**
   * Reads a schema with its field name.
   *
   * @param schema a member of a struct schema's {@code fields}
   * @throws RowmarkException SOURCE when this is no Connect schema
   */
  public static SourceField field(Map<String, ?> schema) {
    Presence presence =
        Boolean.TRUE.equals(schema.get("optional")) ? Presence.OPTIONAL : Presence.REQUIRED;
    return new SourceField(
        text(schema, "field"), type(schema), presence, frozen(schema.get("default")));
  }

  /**
   * Reads the members of a struct schema, such as an envelope's {@code after}.
   *
   * @throws RowmarkException SOURCE when this is no struct schema
   */
  public static List<SourceField> fields(Map<String, ?> schema) {
    if (!(schema.get("fields") instanceof List<?> members)) {
      throw malformed("a struct schema has no 'fields'");
    }
    List<SourceField> fields = new ArrayList<>();
    for (Object member : members) {
      fields.add(field(schemaOf(member)));
    }
    return List.copyOf(fields);
  }

  /**
   * Reads a schema.
   *
   * @throws RowmarkException SOURCE when this is no Connect schema
   */
  public static SourceType type(Map<String, ?> schema) {
    if (schema.get("name") instanceof String name) {
      Plain semantic = SEMANTIC.get(name);
      if (semantic != null) {
        return semantic;
      } else if (name.equals(CONNECT_DATA + "Decimal")) {
        int precision = parameter(schema, "connect.decimal.precision", UNTOLD_PRECISION);
        return new Decimal(precision, parameter(schema, "scale", 0));
      } else if (name.equals(DEBEZIUM_DATA + "Bits")) {
        int length = parameter(schema, "length", 0);
        return new Bits(length == 0 ? null : length);
      }
    }
    return base(schema);
  }

  private static SourceType base(Map<String, ?> schema) {
    String base = text(schema, "type");
    Plain plain = BASE.get(base);
    if (plain != null) {
      return plain;
    }
    return switch (base) {
      case "array" -> new ListOf(type(schemaOf(schema.get("items"))));
      case "map" -> new MapOf(type(schemaOf(schema.get("values"))));
      case "struct" -> new StructOf(fields(schema));
      default -> throw malformed("'%s' is no base type".formatted(base));
    };
  }

  private static int parameter(Map<String, ?> schema, String name, int otherwise) {
    if (schema.get("parameters") instanceof Map<?, ?> parameters && parameters.get(name) != null) {
      try {
        return Integer.parseInt(String.valueOf(parameters.get(name)));
      } catch (NumberFormatException e) {
        throw malformed("parameter '%s' is no number".formatted(name));
      }
    }
    return otherwise;
  }

  private static String text(Map<String, ?> schema, String key) {
    if (schema.get(key) instanceof String text) {
      return text;
    }
    throw malformed("'%s' is missing".formatted(key));
  }

  private static Map<String, ?> schemaOf(@Nullable Object schema) {
    if (!(schema instanceof Map<?, ?> map)) {
      throw malformed("a nested schema is missing");
    }
    Map<String, Object> copy = new HashMap<>();
    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    return copy;
  }

  /** Scalars as they are; lists and maps, whose own class may not be serializable, as copies. */
  private static @Nullable Serializable frozen(@Nullable Object value) {
    if (value instanceof List<?> list) {
      ArrayList<@Nullable Serializable> copy = new ArrayList<>();
      list.forEach(item -> copy.add(frozen(item)));
      return copy;
    } else if (value instanceof Map<?, ?> map) {
      HashMap<String, @Nullable Serializable> copy = new HashMap<>();
      map.forEach((key, item) -> copy.put(String.valueOf(key), frozen(item)));
      return copy;
    }
    return (Serializable) value;
  }

  private static RowmarkException malformed(String what) {
    return RowmarkException.source(
        ("An event's schema cannot be read: %s. Rowmark expects what the Kafka Connect JSON"
                + " converter writes with schemas.enable=true; declare the format if it is"
                + " another.")
            .formatted(what));
  }
}
