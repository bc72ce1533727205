package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Bits;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Decimal.Encoding;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.formats.type.SourceType.VariableDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text of source types, as a configuration declares them: {@code timestamp-micros}, {@code
 * decimal(20,5)}, {@code list<int>}. The two directions are inverse.
 *
 * <p>{@code decimal(p,s)} is base64 (Debezium's precise mode); {@code decimal-text(p,s)} and {@code
 * decimal-number(p,s)} are the same type written as text and as a JSON number.
 */
public final class SourceTypes {
  private static final Map<Plain, String> NAMES = new EnumMap<>(Plain.class);
  private static final Map<String, Plain> PLAIN = new LinkedHashMap<>();
  private static final Map<Encoding, String> DECIMALS =
      new EnumMap<>(
          Map.of(
              Encoding.BASE64, "decimal",
              Encoding.TEXT, "decimal-text",
              Encoding.NUMBER, "decimal-number"));

  /** Names of other systems and what they are here, for the hint in an error. */
  private static final Map<String, String> FOREIGN =
      Map.of(
          "integer", "int",
          "bigint", "long",
          "text", "string",
          "varchar", "string",
          "bool", "boolean",
          "real", "float",
          "binary", "bytes",
          "timestamp", "timestamp-micros",
          "timestamptz", "zoned-timestamp",
          "numeric", "decimal");

  private static final String VARIABLE_DECIMAL = "variable-decimal";
  private static final String BITS = "bits";

  static {
    for (Plain plain : Plain.values()) {
      String name =
          plain == Plain.VARIABLE_DECIMAL_TEXT
              ? VARIABLE_DECIMAL
              : plain.name().toLowerCase(Locale.ROOT).replace('_', '-');
      NAMES.put(plain, name);
      PLAIN.put(name, plain);
    }
  }

  private SourceTypes() {}

  /**
   * Reads a declaration.
   *
   * @throws RowmarkException CONFIG naming the nearest known type
   */
  public static SourceType parse(String text) {
    TypeTextScanner scanner = new TypeTextScanner(text);
    SourceType type = type(scanner);
    if (!scanner.atEnd()) {
      throw scanner.wrong("something follows the type");
    }
    return type;
  }

  /** The declaration of a type. Presence and defaults of struct fields are left out. */
  public static String toText(SourceType type) {
    if (type instanceof Plain plain) {
      return String.valueOf(NAMES.get(plain));
    } else if (type instanceof Decimal decimal) {
      return "%s(%d,%d)"
          .formatted(DECIMALS.get(decimal.encoding()), decimal.precision(), decimal.scale());
    } else if (type instanceof VariableDecimal decimal) {
      return "%s(%d,%d)".formatted(VARIABLE_DECIMAL, decimal.precision(), decimal.scale());
    } else if (type instanceof Bits bits) {
      return bits.length() == null ? BITS : "%s(%d)".formatted(BITS, bits.length());
    } else if (type instanceof ListOf list) {
      return "list<" + toText(list.element()) + ">";
    } else if (type instanceof MapOf map) {
      return "map<" + toText(map.value()) + ">";
    }
    return ((StructOf) type)
        .fields().stream()
            .map(f -> TypeTextScanner.quoted(f.name()) + ":" + toText(f.type()))
            .collect(Collectors.joining(",", "struct<", ">"));
  }

  private static SourceType type(TypeTextScanner scanner) {
    String name = scanner.word().toLowerCase(Locale.ROOT);
    switch (name) {
      case "list", "map" -> {
        scanner.expect('<');
        SourceType inner = type(scanner);
        scanner.expect('>');
        return name.equals("list") ? new ListOf(inner) : new MapOf(inner);
      }
      case "struct" -> {
        return struct(scanner);
      }
      case BITS -> {
        return new Bits(scanner.skip('(') ? closedNumber(scanner) : null);
      }
      case VARIABLE_DECIMAL -> {
        if (!scanner.skip('(')) {
          return Plain.VARIABLE_DECIMAL_TEXT;
        }
        int precision = precision(scanner);
        return new VariableDecimal(precision, closedNumber(scanner));
      }
      default -> {
        return plainOrDecimal(name, scanner);
      }
    }
  }

  private static SourceType plainOrDecimal(String name, TypeTextScanner scanner) {
    for (Map.Entry<Encoding, String> decimal : DECIMALS.entrySet()) {
      if (decimal.getValue().equals(name)) {
        scanner.expect('(');
        int precision = precision(scanner);
        return new Decimal(precision, closedNumber(scanner), decimal.getKey());
      }
    }
    Plain plain = PLAIN.get(name);
    if (plain == null) {
      throw scanner.wrong("'%s' is no source type; did you mean '%s'?".formatted(name, near(name)));
    }
    return plain;
  }

  private static SourceType struct(TypeTextScanner scanner) {
    List<SourceField> fields = new ArrayList<>();
    scanner.expect('<');
    do {
      String name = scanner.fieldName();
      scanner.expect(':');
      fields.add(new SourceField(name, type(scanner), Presence.OPTIONAL, null));
    } while (scanner.skip(','));
    scanner.expect('>');
    return new StructOf(fields);
  }

  private static int precision(TypeTextScanner scanner) {
    int precision = scanner.number();
    if (precision < 1 || precision > 38) {
      throw scanner.wrong("a precision is 1 to 38");
    }
    scanner.expect(',');
    return precision;
  }

  private static int closedNumber(TypeTextScanner scanner) {
    int number = scanner.number();
    scanner.expect(')');
    return number;
  }

  private static String near(String wrong) {
    Map<String, String> known = new LinkedHashMap<>(FOREIGN);
    PLAIN.keySet().forEach(name -> known.put(name, name));
    DECIMALS.values().forEach(name -> known.put(name, name));
    List.of(BITS, "list", "map", "struct").forEach(name -> known.put(name, name));
    String nearest = "string";
    int least = Integer.MAX_VALUE;
    for (Map.Entry<String, String> name : known.entrySet()) {
      int distance = TypeTextScanner.distance(wrong, name.getKey());
      if (distance < least) {
        least = distance;
        nearest = name.getValue();
      }
    }
    return nearest;
  }
}
