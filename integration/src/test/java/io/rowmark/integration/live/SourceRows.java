package io.rowmark.integration.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;

/** The rows of a table of PostgreSQL, as the typed values that the ingested table must have. */
final class SourceRows {
  private static final int MOST_SHOWN = 10;

  private SourceRows() {}

  /**
   * Compares columns, types and rows, and each row as often as it is there.
   *
   * @return how many rows there are
   */
  static int assertSame(PostgresServer server, String name, Table table) throws SQLException {
    List<String> columns = table.schema().columns().stream().map(column -> column.name()).toList();
    Map<List<Object>, Integer> expected = new HashMap<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + name)) {
      assertThat(columns).as("columns of %s", name).isEqualTo(names(rows.getMetaData()));
      while (rows.next()) {
        expected.merge(row(rows), 1, Integer::sum);
      }
    }
    int count = expected.values().stream().mapToInt(Integer::intValue).sum();
    Map<List<Object>, Integer> actual = new HashMap<>();
    Columns.read(table, table.currentSnapshot(), columns.toArray(String[]::new))
        .forEach(row -> actual.merge(row, 1, Integer::sum));
    assertThat(lacking(expected, actual)).as("rows that only PostgreSQL's %s has", name).isEmpty();
    assertThat(lacking(actual, expected)).as("rows that only the ingested %s has", name).isEmpty();
    return count;
  }

  private static List<String> names(ResultSetMetaData columns) throws SQLException {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      names.add(columns.getColumnName(i));
    }
    return names;
  }

  private static List<Object> row(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<Object> row = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      row.add(value(rows, i, columns.getColumnType(i), columns.getColumnTypeName(i)));
    }
    return row;
  }

  private static Object value(ResultSet rows, int column, int type, String name)
      throws SQLException {
    return switch (type) {
      case Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.CHAR, Types.VARCHAR ->
          rows.getObject(column);
      case Types.TIMESTAMP -> {
        // the driver tells both kinds of time stamps by one number
        if (name.equals("timestamptz")) {
          OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
          yield time == null ? null : time.withOffsetSameInstant(ZoneOffset.UTC);
        }
        yield rows.getObject(column, LocalDateTime.class);
      }
      default -> throw new IllegalStateException("No mapping for " + name);
    };
  }

  private static List<Map.Entry<List<Object>, Integer>> lacking(
      Map<List<Object>, Integer> rows, Map<List<Object>, Integer> others) {
    return rows.entrySet().stream()
        .filter(row -> !row.getValue().equals(others.get(row.getKey())))
        .limit(MOST_SHOWN)
        .toList();
  }
}
