package io.rowmark.index.resolve;

import java.util.List;
import java.util.PrimitiveIterator;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/** Walks over the rows read of a row group. A column moves only when it is looked at. */
final class RowCursor {
  private final ColumnWalker[] columns;
  private final PrimitiveIterator.OfLong rows;
  private long row = -1;

  /**
   * @param columns flat columns, in the order in which they will be named by number
   * @param createdBy writer of the file, for the faults of old writers; null when unknown
   */
  RowCursor(PageReadStore pages, List<ColumnDescriptor> columns, @Nullable String createdBy) {
    ParsedVersion writer = version(createdBy);
    this.columns =
        columns.stream()
            .map(column -> new ColumnWalker(pages.getPageReader(column), column, writer))
            .toArray(ColumnWalker[]::new);
    this.rows =
        pages
            .getRowIndexes()
            .orElseGet(() -> RowRanges.createSingle(pages.getRowCount()).iterator());
  }

  private static @Nullable ParsedVersion version(@Nullable String createdBy) {
    try {
      return createdBy == null ? null : VersionParser.parse(createdBy);
    } catch (VersionParseException e) {
      return null;
    }
  }

  /** Goes to the next row; false behind the last one. */
  boolean next() {
    if (!rows.hasNext()) {
      return false;
    }
    row = rows.nextLong();
    return true;
  }

  /** Number of the current row in its row group; -1 before the first. */
  long row() {
    return row;
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
  ColumnReader reader(int column) {
    columns[column].moveTo(row);
    return columns[column].value();
  }
}
