package io.rowmark.index.rewrite;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.WholeRows;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.NullOrder;
import org.apache.iceberg.SortDirection;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Column;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows in rewritten files: the table's own, else that of the key, as batches write
 * them; of a table without a key, the order in which they were written.
 *
 * @param columns over {@link WholeRows}
 * @param recorded order that files claim; null where it is not the table's own
 */
record RowOrder(List<Column> columns, @Nullable SortOrder recorded) {

  static RowOrder of(IndexedTable names, Table table) {
    SortOrder own = table.sortOrder();
    if (own.isSorted()) {
      return new RowOrder(
          own.fields().stream()
              .filter(field -> !field.transform().isVoid())
              .map(field -> sorted(names, table, field))
              .toList(),
          own);
    }
    List<Column> columns = new ArrayList<>();
    names.key().forEach(name -> columns.add(col(WholeRows.ROW_NAME).getField(name)));
    if (columns.isEmpty()) {
      columns.add(col(WholeRows.FILE_NAME));
      columns.add(col(WholeRows.POSITION_NAME));
    }
    return new RowOrder(columns, null);
  }

  private static Column sorted(IndexedTable names, Table table, SortField field) {
    Column value = expr(expression(names, table, field));
    boolean nullsFirst = field.nullOrder() == NullOrder.NULLS_FIRST;
    return field.direction() == SortDirection.ASC
        ? nullsFirst ? value.asc_nulls_first() : value.asc_nulls_last()
        : nullsFirst ? value.desc_nulls_first() : value.desc_nulls_last();
  }

  /** Iceberg's transforms are functions of its Spark catalogs. */
  private static String expression(IndexedTable names, Table table, SortField field) {
    String path =
        Stream.concat(
                Stream.of(WholeRows.ROW_NAME),
                Stream.of(table.schema().findColumnName(field.sourceId()).split("\\.")))
            .map(IndexedTable::quoted)
            .collect(Collectors.joining("."));
    String transform = field.transform().toString();
    if (transform.equals("identity")) {
      return path;
    }
    String functions = IndexedTable.quoted(names.sparkCatalog()) + ".system.";
    int bracket = transform.indexOf('[');
    return bracket < 0
        ? "%s%ss(%s)".formatted(functions, transform, path)
        : "%s%s(%s, %s)"
            .formatted(
                functions,
                transform.substring(0, bracket),
                transform.substring(bracket + 1, transform.length() - 1),
                path);
  }

  Column[] array() {
    return columns.toArray(Column[]::new);
  }
}
