package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Plain;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Types of MySQL columns as the server writes them, {@code bigint(20) unsigned}, for feeds whose
 * values are text. Types not known here are text.
 */
public final class MySqlTypes {
  private static final Pattern DECLARATION =
      Pattern.compile("\\s*(\\w+)\\s*(?:\\(([^)]*)\\))?(.*)", Pattern.DOTALL);

  private static final Map<String, SourceType> PLAIN =
      Map.ofEntries(
          Map.entry("tinyint", Plain.INT),
          Map.entry("smallint", Plain.INT),
          Map.entry("mediumint", Plain.INT),
          Map.entry("int", Plain.INT),
          Map.entry("integer", Plain.INT),
          Map.entry("bigint", Plain.LONG),
          Map.entry("year", Plain.INT),
          Map.entry("float", Plain.FLOAT),
          Map.entry("double", Plain.DOUBLE),
          Map.entry("real", Plain.DOUBLE),
          Map.entry("bool", Plain.BOOLEAN),
          Map.entry("boolean", Plain.BOOLEAN),
          Map.entry("date", Plain.ISO_DATE),
          Map.entry("datetime", Plain.TIMESTAMP_MICROS));

  private static final Map<String, SourceType> UNSIGNED =
      Map.of("int", Plain.LONG, "integer", Plain.LONG, "bigint", decimal(20, 0));

  private MySqlTypes() {}

  /** The source type of a column whose values are text. */
  public static SourceType of(String declaration) {
    Matcher matcher = DECLARATION.matcher(declaration.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Plain.STRING;
    }
    String name = matcher.group(1);
    String size = matcher.group(2) == null ? "" : matcher.group(2);
    if (name.equals("decimal") || name.equals("numeric")) {
      return decimal(size);
    } else if (name.equals("tinyint") && size.equals("1")) {
      return Plain.BOOLEAN;
    }
    boolean unsigned = matcher.group(3).contains("unsigned");
    SourceType type = unsigned ? UNSIGNED.get(name) : null;
    return type != null ? type : PLAIN.getOrDefault(name, Plain.STRING);
  }

  private static SourceType decimal(String size) {
    String[] parts = size.isBlank() ? new String[] {"10"} : size.split(",");
    int precision = Integer.parseInt(parts[0].strip());
    return decimal(precision, parts.length > 1 ? Integer.parseInt(parts[1].strip()) : 0);
  }

  private static SourceType decimal(int precision, int scale) {
    return new Decimal(precision, scale, Decimal.Encoding.TEXT);
  }
}
