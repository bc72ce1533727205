package io.rowmark.index.resolve;

import java.util.List;
import java.util.PrimitiveIterator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;

/** Walks over the rows read of a row group. A column moves only when it is looked at. */
final class RowCursor {
  private final ColumnWalker[] columns;
  private final PrimitiveIterator.OfLong rows;
  private long row = -1;

  /**
   * @param columns flat columns, in the order in which they will be named by number
   */
  RowCursor(PageReadStore pages, List<ColumnDescriptor> columns) {
    this.columns =
        columns.stream()
            .map(column -> new ColumnWalker(pages.getPageReader(column), column))
            .toArray(ColumnWalker[]::new);
    this.rows =
        pages
            .getRowIndexes()
            .orElseGet(() -> RowRanges.createSingle(pages.getRowCount()).iterator());
  }

  /** Goes to the next row; false behind the last one. */
  boolean next() {
    if (!rows.hasNext()) {
      return false;
    }
    row = rows.nextLong();
    return true;
  }

  /** Goes forward to a row, whose pages must have been read. */
  void moveTo(long target) {
    row = target;
  }

  /** Number of the current row in its row group; -1 before the first. */
  long row() {
    return row;
  }

  /** A column by its pages, for those who do not go from row to row. */
  ColumnWalker column(int column) {
    return columns[column];
  }

  boolean isNull(int column) {
    columns[column].moveTo(row);
    return columns[column].isNull();
  }

  boolean anyNull() {
    for (int column = 0; column < columns.length; column++) {
      if (isNull(column)) {
        return true;
      }
    }
    return false;
  }

  /** The reader of a column, to take the current row's value from, once. */
  ValuesReader reader(int column) {
    columns[column].moveTo(row);
    return columns[column].value();
  }
}
