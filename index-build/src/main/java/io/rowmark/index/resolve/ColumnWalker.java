package io.rowmark.index.resolve;

import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.jspecify.annotations.Nullable;

/**
 * Reads one flat column at chosen rows, of which the pages between may be missing. Parquet's own
 * reader for this loses the last row when it is the only one wanted of its page (parquet-java
 * 1.16.0, SynchronizingColumnReader: the end of the row numbers is taken for the end of the rows).
 */
final class ColumnWalker implements PageReader {
  private static final PrimitiveConverter UNUSED = new PrimitiveConverter() {};
  private static final long SAME_PAGE = -1;

  private final PageReader pages;
  private final int present;
  private final ColumnReader reader;
  private long pageStart = SAME_PAGE;
  private long row;

  ColumnWalker(PageReader pages, ColumnDescriptor column, @Nullable ParsedVersion writer) {
    this.pages = pages;
    this.present = column.getMaxDefinitionLevel();
    this.reader = newReader(column, writer);
    this.row = Math.max(0, pageStart);
  }

  @SuppressWarnings("NullAway") // the reader takes null for an unknown writer
  private ColumnReader newReader(ColumnDescriptor column, @Nullable ParsedVersion writer) {
    return new ColumnReaderImpl(column, this, UNUSED, writer);
  }

  /** Goes forward to a row, whose page must have been read. */
  void moveTo(long target) {
    while (row < target) {
      if (!isNull()) {
        // does nothing when the value has been taken
        reader.skip();
      }
      pageStart = SAME_PAGE;
      reader.consume();
      row = pageStart == SAME_PAGE ? row + 1 : pageStart;
    }
    if (row > target) {
      throw new IllegalStateException(
          "Row %d of column %s is not among the pages read".formatted(target, reader));
    }
  }

  boolean isNull() {
    return reader.getCurrentDefinitionLevel() < present;
  }

  /** The reader, to take the current row's value from. */
  ColumnReader value() {
    return reader;
  }

  @Override
  public DataPage readPage() {
    DataPage page = pages.readPage();
    // a whole row group has no row numbers in its pages, which follow one another
    pageStart = page.getFirstRowIndex().orElse(SAME_PAGE);
    return page;
  }

  @Override
  public DictionaryPage readDictionaryPage() {
    return pages.readDictionaryPage();
  }

  @Override
  public long getTotalValueCount() {
    return pages.getTotalValueCount();
  }
}
