package io.rowmark.integration.reports;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDateTime;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Types and values of the cases, in forms that can be compared. */
final class CaseValues {
  private CaseValues() {}

  static Type type(String name) {
    return switch (name) {
      case "int" -> Types.IntegerType.get();
      case "long" -> Types.LongType.get();
      case "double" -> Types.DoubleType.get();
      case "string" -> Types.StringType.get();
      case "timestamp" -> Types.TimestampType.withoutZone();
      default -> throw new IllegalArgumentException("type " + name);
    };
  }

  /** A value as Iceberg's generic writers take it. */
  static Object parsed(JsonNode value, Type type) {
    if (value == null || value.isNull()) {
      return null;
    }
    return switch (type.typeId()) {
      case INTEGER -> value.asInt();
      case LONG -> value.asLong();
      case DOUBLE -> Double.valueOf(value.asText());
      case TIMESTAMP -> LocalDateTime.parse(value.asText().replace(' ', 'T'));
      default -> value.asText();
    };
  }

  /** An expected value as text; an empty text is told from null. */
  static String expected(JsonNode value, Type type) {
    return actual(parsed(value, type));
  }

  /** What Iceberg's generic reader gives, in the same form. */
  static String actual(Object value) {
    return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
  }
}
