package io.rowmark.integration.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/**
 * Rows by key, each a map from column to typed value.
 *
 * @param byKey key values as text with | between them, to row
 */
record TableRows(String table, Map<String, Map<String, Object>> byKey) {

  /** A row that only one side has is a difference of the column {@code *}. */
  record Difference(String table, String key, String column, Object expected, Object actual) {}

  static TableRows of(String table, List<String> key, List<Map<String, Object>> rows) {
    Map<String, Map<String, Object>> byKey = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      String text = String.join("|", key.stream().map(name -> row.get(name).toString()).toList());
      if (byKey.put(text, row) != null) {
        throw new AssertionError("Table %s has the key %s twice".formatted(table, text));
      }
    }
    return new TableRows(table, byKey);
  }

  /** The live rows, read by Iceberg's own generic reader. */
  static TableRows read(String name, Table table, List<String> key) {
    return of(name, key, readAll(table));
  }

  static List<Map<String, Object>> readAll(Table table) {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record item : records) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (Types.NestedField column : table.schema().columns()) {
          row.put(column.name(), item.getField(column.name()));
        }
        rows.add(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /**
   * Where actual rows differ, in the columns that the expected rows have. Values are compared with
   * their types, floating-point numbers by their bits.
   */
  List<Difference> differences(TableRows actual) {
    List<Difference> found = new ArrayList<>();
    byKey.forEach(
        (key, row) -> {
          Map<String, Object> other = actual.byKey.get(key);
          if (other == null) {
            found.add(new Difference(table, key, "*", "a row", "no row"));
          } else {
            row.forEach(
                (column, value) -> {
                  if (!Objects.equals(value, other.get(column))) {
                    found.add(new Difference(table, key, column, value, other.get(column)));
                  }
                });
          }
        });
    for (String key : actual.byKey.keySet()) {
      if (!byKey.containsKey(key)) {
        found.add(new Difference(table, key, "*", "no row", "a row"));
      }
    }
    return found;
  }
}
