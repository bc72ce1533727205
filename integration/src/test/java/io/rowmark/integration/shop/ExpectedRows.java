package io.rowmark.integration.shop;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.integration.shop.PostgresValue.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/** What PostgreSQL itself held after a day, as the typed values that the table must have. */
final class ExpectedRows {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The columns whose text alone does not tell the type; only type_zoo has such. */
  private static final Map<String, Kind> KINDS =
      Map.of("ti", Kind.TIME, "iv", Kind.INTERVAL, "bits", Kind.BIT, "mon", Kind.MONEY);

  private ExpectedRows() {}

  /**
   * @param schema says which type each value takes; every column that PostgreSQL has must be there
   */
  static TableRows read(String table, int day, Schema schema, List<String> key) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String line :
        CapturedStream.lines(
            CapturedStream.data().resolve("expected-day%d/%s.jsonl.gz".formatted(day, table)))) {
      rows.add(typed(table, parse(line), schema));
    }
    return TableRows.of(table, key, rows);
  }

  private static Map<String, Object> typed(
      String table, Map<String, PostgresValue> row, Schema schema) {
    Map<String, Object> typed = new LinkedHashMap<>();
    row.forEach(
        (name, value) -> {
          Types.NestedField column = schema.findField(name);
          if (column == null) {
            throw new AssertionError("Table %s lacks the column %s".formatted(table, name));
          }
          typed.put(name, value.as(column.type(), KINDS.getOrDefault(name, Kind.OTHER)));
        });
    return typed;
  }

  /** Numbers and nested JSON stay the raw text: no digit and no blank is lost. */
  private static Map<String, PostgresValue> parse(String line) {
    Map<String, PostgresValue> row = new LinkedHashMap<>();
    try (JsonParser parser = JSON.createParser(line)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        row.put(name, new PostgresValue(token, text(parser, token, line)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return row;
  }

  private static String text(JsonParser parser, JsonToken token, String line) throws IOException {
    if (!token.isStructStart()) {
      return parser.getText();
    }
    int start = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    return line.substring(start, (int) parser.currentLocation().getCharOffset());
  }
}
