package io.rowmark.integration.feeds;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Values of the cases, in the forms that a comparison needs. Types are Iceberg's names. */
final class SampleValues {
  private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d+),(\\d+)\\)");
  private static final Pattern LIST = Pattern.compile("list<(.*)>");
  private static final Pattern STRUCT = Pattern.compile("struct<(.*)>");

  private SampleValues() {}

  /** The column type; time of day is text in tables of Rowmark. */
  static Type type(String name, int id) {
    Matcher decimal = DECIMAL.matcher(name);
    Matcher list = LIST.matcher(name);
    Matcher struct = STRUCT.matcher(name);
    if (decimal.matches()) {
      return Types.DecimalType.of(
          Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    } else if (list.matches()) {
      return Types.ListType.ofOptional(id, type(list.group(1), id + 1));
    } else if (struct.matches()) {
      List<Types.NestedField> fields = new ArrayList<>();
      fields(struct.group(1))
          .forEach(
              (field, type) ->
                  fields.add(
                      Types.NestedField.optional(
                          id + fields.size(), field, type(type, id + 50 + fields.size()))));
      return Types.StructType.of(fields);
    }
    return switch (name) {
      case "int" -> Types.IntegerType.get();
      case "long" -> Types.LongType.get();
      case "double" -> Types.DoubleType.get();
      case "boolean" -> Types.BooleanType.get();
      case "string", "time" -> Types.StringType.get();
      case "binary" -> Types.BinaryType.get();
      case "date" -> Types.DateType.get();
      case "timestamp" -> Types.TimestampType.withoutZone();
      case "timestamptz" -> Types.TimestampType.withZone();
      case "uuid" -> Types.UUIDType.get();
      default -> throw new IllegalArgumentException("type " + name);
    };
  }

  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : text.split(",")) {
      String[] parts = field.split(":");
      fields.put(parts[0], parts[1]);
    }
    return fields;
  }

  /** A literal of Spark's SQL for rows that are there before. */
  static String sql(JsonNode value, String type) {
    Matcher list = LIST.matcher(type);
    if (list.matches()) {
      if (value.isNull()) {
        return "NULL";
      }
      List<String> items = new ArrayList<>();
      value.forEach(item -> items.add(sql(item, list.group(1))));
      return "array(" + String.join(", ", items) + ")";
    }
    String sqlType =
        switch (type) {
          case "long" -> "bigint";
          case "timestamp" -> "timestamp_ntz";
          case "timestamptz" -> "timestamp";
          case "time", "uuid" -> "string";
          default -> type;
        };
    if (value.isNull()) {
      return "CAST(NULL AS %s)".formatted(sqlType);
    } else if (type.equals("binary")) {
      return "unbase64('%s')".formatted(value.asText());
    }
    return "CAST('%s' AS %s)".formatted(value.asText().replace("'", "\\'"), sqlType);
  }

  /** An expected value as text that is the same for the same value. */
  static String expected(JsonNode value, String type) {
    if (value == null || value.isNull()) {
      return "null";
    }
    Matcher list = LIST.matcher(type);
    Matcher struct = STRUCT.matcher(type);
    if (list.matches()) {
      List<String> items = new ArrayList<>();
      value.forEach(item -> items.add(expected(item, list.group(1))));
      return items.toString();
    } else if (struct.matches()) {
      return fields(struct.group(1)).entrySet().stream()
          .map(field -> expected(value.get(field.getKey()), field.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return switch (type) {
      case "double" -> Double.valueOf(value.asText()).toString();
      case "timestamp" -> LocalDateTime.parse(value.asText()).toString();
      case "timestamptz" -> OffsetDateTime.parse(value.asText()).toInstant().toString();
      case "time" -> LocalTime.parse(value.asText()).toString();
      default -> value.asText();
    };
  }

  /** What Iceberg's generic reader gives, in the same form. */
  static String actual(Object value, String type) {
    if (value == null) {
      return "null";
    } else if (value instanceof List<?> list) {
      String element = LIST.matcher(type).replaceFirst("$1");
      return list.stream().map(item -> actual(item, element)).toList().toString();
    } else if (value instanceof Record struct) {
      List<String> items = new ArrayList<>();
      fields(STRUCT.matcher(type).replaceFirst("$1"))
          .forEach((field, inner) -> items.add(actual(struct.getField(field), inner)));
      return items.stream().collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    } else if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return Base64.getEncoder().encodeToString(copy);
    } else if (value instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    return type.equals("time") ? LocalTime.parse(value.toString()).toString() : value.toString();
  }
}
