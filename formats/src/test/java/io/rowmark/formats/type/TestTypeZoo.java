package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.rowmark.formats.type.SourceType.SourceField;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Events that Debezium wrote for a PostgreSQL table of nearly every type, decoded and compared with
 * what PostgreSQL itself held. The configuration library serves as JSON reader: it keeps the text
 * of numbers.
 */
class TestTypeZoo {
  /** What a user declares for events without schemas. */
  private static final Map<String, String> DECLARED =
      Map.ofEntries(
          Map.entry("id", "long"),
          Map.entry("b", "boolean"),
          Map.entry("i2", "int"),
          Map.entry("i4", "int"),
          Map.entry("i8", "long"),
          Map.entry("f4", "float"),
          Map.entry("f8", "double"),
          Map.entry("n", "decimal(20,5)"),
          Map.entry("n0", "decimal(38,0)"),
          Map.entry("nv", "variable-decimal"),
          Map.entry("by", "bytes"),
          Map.entry("d", "date"),
          Map.entry("ti", "time-micros"),
          Map.entry("ts", "timestamp-micros"),
          Map.entry("tsms", "timestamp-millis"),
          Map.entry("tstz", "zoned-timestamp"),
          Map.entry("iv", "duration-micros"),
          Map.entry("u", "uuid"),
          Map.entry("ai", "list<int>"),
          Map.entry("at", "list<string>"),
          Map.entry("bits", "bits(9)"),
          Map.entry("mon", "decimal(19,2)"));

  @Test
  void schemalessEventsWithDeclaredTypesEqualTheDatabase() throws IOException {
    Map<Long, Map<String, Object>> rows = new TreeMap<>();
    for (ConfigObject event : lines("schemaless.json.gz")) {
      apply(rows, event, name -> SourceTypes.parse(DECLARED.getOrDefault(name, "string")));
    }
    assertEqualsDatabase(rows);
  }

  @Test
  void eventsWithSchemasEqualTheDatabase() throws IOException {
    Map<Long, Map<String, Object>> rows = new TreeMap<>();
    for (ConfigObject event : lines("with-schemas.json.gz")) {
      SourceField after =
          ConnectSchema.fields(object(member(event, "schema")).unwrapped()).stream()
              .filter(field -> field.name().equals("after"))
              .findFirst()
              .orElseThrow();
      Map<String, SourceType> types = new TreeMap<>();
      ((SourceType.StructOf) after.type()).fields().forEach(f -> types.put(f.name(), f.type()));
      apply(
          rows, object(member(event, "payload")), name -> Objects.requireNonNull(types.get(name)));
    }
    assertEqualsDatabase(rows);
  }

  private interface Typing {
    SourceType of(String name);
  }

  private static void apply(
      Map<Long, Map<String, Object>> rows, ConfigObject event, Typing typing) {
    if (member(event, "before").valueType() == ConfigValueType.OBJECT) {
      rows.remove(id(object(member(event, "before"))));
    }
    if (member(event, "after").valueType() == ConfigValueType.OBJECT) {
      Map<String, Object> row = new TreeMap<>();
      object(member(event, "after"))
          .forEach(
              (name, value) -> {
                SourceType source = typing.of(name);
                ValueDecoder decoder =
                    ValueDecoder.decoder(name, source, ColumnTypes.icebergType(source));
                row.put(name, decoder.decode(sourceValue(value)));
              });
      rows.put((Long) row.get("id"), row);
    }
  }

  private static void assertEqualsDatabase(Map<Long, Map<String, Object>> rows) throws IOException {
    List<ConfigObject> expected = lines("expected.jsonl.gz");
    assertThat(rows).hasSize(expected.size()).hasSize(61);
    for (ConfigObject truth : expected) {
      Map<String, Object> row = Objects.requireNonNull(rows.get(id(truth)));
      truth.forEach(
          (column, value) ->
              assertThat(sameAsDatabase(column, row.get(column), value))
                  .as("row %s, column %s: %s", row.get("id"), column, row.get(column))
                  .isTrue());
    }
  }

  private static boolean sameAsDatabase(String column, @Nullable Object value, ConfigValue truth) {
    boolean nullInDatabase = truth.valueType() == ConfigValueType.NULL;
    // Debezium writes a NaN of an unbounded numeric as null in precise mode.
    if (column.equals("nv") && value == null) {
      return nullInDatabase || text(truth).equals("NaN");
    } else if (value == null || nullInDatabase) {
      return value == null && nullInDatabase;
    }
    return switch (column) {
      case "by" -> ("\\x" + HexFormat.of().formatHex((byte[]) value)).equals(text(truth));
      case "d" -> LocalDate.parse(text(truth)).equals((LocalDate) value);
      case "ti" -> padded(text(truth)).equals(value);
      case "ts", "tsms" -> LocalDateTime.parse(text(truth)).equals((LocalDateTime) value);
      case "tstz" -> OffsetDateTime.parse(text(truth)).toInstant().equals((Instant) value);
      case "f4" -> value.equals(Float.valueOf(text(truth)));
      case "f8" -> value.equals(Double.valueOf(text(truth)));
      case "n", "n0" -> ((BigDecimal) decimal(value)).compareTo(new BigDecimal(text(truth))) == 0;
      case "nv" -> sameVariable((String) value, text(truth));
      case "mon" ->
          ((BigDecimal) decimal(value)).compareTo(new BigDecimal(text(truth).substring(1))) == 0;
      case "bits" -> bits((byte[]) value).equals(text(truth));
      case "ai", "at" -> sameList((Object[]) value, (List<?>) truth.unwrapped());
      // PostgreSQL's JSON output of these is no text; the interval's months are approximated.
      case "j", "jb", "iv" -> true;
      default -> String.valueOf(value).equals(text(truth));
    };
  }

  private static Object decimal(Object value) {
    return value instanceof String text ? new BigDecimal(text) : value;
  }

  private static boolean sameVariable(String value, String truth) {
    return truth.equals("NaN")
        ? value.equals("NAN")
        : new BigDecimal(value).compareTo(new BigDecimal(truth)) == 0;
  }

  private static String padded(String time) {
    return (time.contains(".") ? time + "000000" : time + ".000000").substring(0, 15);
  }

  private static boolean sameList(Object[] value, List<?> truth) {
    return new ArrayList<Object>(java.util.Arrays.asList(value)).equals(truth);
  }

  private static String bits(byte[] littleEndian) {
    StringBuilder text = new StringBuilder();
    for (int bit = 8; bit >= 0; bit--) {
      int octet = bit / 8 < littleEndian.length ? littleEndian[bit / 8] : 0;
      text.append(octet >> (bit % 8) & 1);
    }
    return text.toString();
  }

  /** As a JSON reader gives it: fractions exact, -0.0 as a double. */
  private static @Nullable Object sourceValue(ConfigValue value) {
    if (value instanceof ConfigObject object) {
      Map<String, @Nullable Object> map = new TreeMap<>();
      object.forEach((name, item) -> map.put(name, sourceValue(item)));
      return map;
    } else if (value instanceof ConfigList list) {
      List<@Nullable Object> items = new ArrayList<>();
      list.forEach(item -> items.add(sourceValue(item)));
      return items;
    } else if (value.valueType() == ConfigValueType.NUMBER && text(value).contains(".")) {
      BigDecimal exact = new BigDecimal(text(value));
      return exact.signum() == 0 ? (Object) Double.valueOf(text(value)) : exact;
    }
    return value.unwrapped();
  }

  private static ConfigValue member(ConfigObject object, String name) {
    return Objects.requireNonNull(object.get(name));
  }

  private static Long id(ConfigObject row) {
    return ((Number) member(row, "id").unwrapped()).longValue();
  }

  private static ConfigObject object(ConfigValue value) {
    return (ConfigObject) value;
  }

  private static String text(ConfigValue value) {
    return value.atKey("v").getString("v");
  }

  private static List<ConfigObject> lines(String file) throws IOException {
    ConfigParseOptions json = ConfigParseOptions.defaults().setSyntax(ConfigSyntax.JSON);
    try (BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(
                    new GZIPInputStream(
                        Objects.requireNonNull(
                            TestTypeZoo.class.getResourceAsStream("/type-zoo/" + file))),
                    StandardCharsets.UTF_8));
        Stream<String> lines = reader.lines()) {
      return lines
          .filter(line -> !line.equals("null"))
          .map(line -> line.replaceAll(":([0-9]{20,})(?=[,}])", ":\"$1\""))
          .map(line -> ConfigFactory.parseString(line, json).root())
          .toList();
    }
  }
}
