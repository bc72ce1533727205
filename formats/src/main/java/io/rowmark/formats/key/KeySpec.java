package io.rowmark.formats.key;

import io.rowmark.formats.failure.RowmarkException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The key columns of a table, in key order. They are Iceberg's identifier fields: top-level,
 * required, and not of a floating-point type (Iceberg table spec, "Identifier Field IDs").
 *
 * @param columns at least one, without repetition
 */
public record KeySpec(List<KeyColumn> columns) implements Serializable {

  /**
   * One key column.
   *
   * @param fieldId Iceberg field id in the data table, so that a rename changes nothing
   */
  public record KeyColumn(int fieldId, String name, Type type) implements Serializable {}

  public KeySpec {
    columns = List.copyOf(columns);
  }

  /**
   * Finds the key columns in a table's schema.
   *
   * @param table name for messages
   * @throws RowmarkException CONFIG when a column is missing, repeated, nested or of a type that
   *     cannot identify a row
   */
  public static KeySpec of(String table, Schema schema, List<String> names) {
    if (names.isEmpty()) {
      throw RowmarkException.config(
          "Table %s has no key columns. Set tables.<name>.key, or mode = append-only."
              .formatted(table));
    }
    Set<String> seen = new HashSet<>();
    List<KeyColumn> columns = new ArrayList<>();
    for (String name : names) {
      Types.NestedField field = schema.asStruct().field(name);
      if (field == null) {
        throw RowmarkException.config(
            "Key column '%s' does not exist in table %s, which has the columns %s. Correct the key."
                .formatted(name, table, columnNames(schema)));
      }
      if (!seen.add(name)) {
        throw RowmarkException.config(
            "Key column '%s' of table %s is named twice. Remove one.".formatted(name, table));
      }
      checkType(table, name, field.type());
      columns.add(new KeyColumn(field.fieldId(), name, field.type()));
    }
    return new KeySpec(columns);
  }

  private static List<String> columnNames(Schema schema) {
    return schema.columns().stream().map(Types.NestedField::name).toList();
  }

  /** Refuses types whose values have no exact equality. */
  public static void checkType(String table, String name, Type type) {
    switch (type.typeId()) {
      case BOOLEAN,
          INTEGER,
          LONG,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_NANO,
          STRING,
          UUID,
          FIXED,
          BINARY,
          DECIMAL -> {}
      case FLOAT, DOUBLE ->
          throw RowmarkException.config(
              ("Key column '%s' of table %s has the type %s. Floating-point values have no exact"
                      + " equality (NaN, -0.0), so they cannot be keys. Choose other key columns,"
                      + " or declare the column as decimal or string.")
                  .formatted(name, table, type));
      default ->
          throw RowmarkException.config(
              "Key column '%s' of table %s has the type %s; only plain values can be keys."
                  .formatted(name, table, type));
    }
  }

  private static final Pattern FIELD_ID = Pattern.compile("(?:^|,)(\\d+):");

  /** Column names in key order. */
  public List<String> names() {
    return columns.stream().map(KeyColumn::name).toList();
  }

  /**
   * Identifies the key in an index's coverage: field ids and types in order. Names are left out,
   * since a renamed column is the same key; a widened one is not, since its index must be
   * rewritten.
   */
  public String fingerprint() {
    List<String> parts = new ArrayList<>();
    columns.forEach(column -> parts.add(column.fieldId() + ":" + column.type()));
    return String.join(",", parts);
  }

  /** Field ids of the columns that a fingerprint speaks of. */
  public static Set<Integer> fieldIds(String fingerprint) {
    return FIELD_ID
        .matcher(fingerprint)
        .results()
        .map(found -> Integer.valueOf(found.group(1)))
        .collect(Collectors.toSet());
  }
}
