package io.rowmark.index.resolve;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads one flat column at chosen rows, of which the pages between may be missing.
 *
 * <p>Parquet's reader of columns goes from value to value, which costs many times what decoding a
 * delta-encoded page does; the one for chosen rows also loses the last row when it is the only one
 * wanted of its page (parquet-java 1.16.0, SynchronizingColumnReader: the end of the row numbers is
 * taken for the end of the rows).
 */
final class ColumnWalker {
  private final PageReader pages;
  private final ColumnDescriptor column;
  private final @Nullable Dictionary dictionary;
  private @Nullable ColumnPage page;

  ColumnWalker(PageReader pages, ColumnDescriptor column) {
    this.pages = pages;
    this.column = column;
    this.dictionary = dictionary(pages.readDictionaryPage());
  }

  private @Nullable Dictionary dictionary(@Nullable DictionaryPage stored) {
    try {
      return stored == null ? null : stored.getEncoding().initDictionary(column, stored);
    } catch (IOException e) {
      throw new UncheckedIOException("The dictionary of %s cannot be read".formatted(column), e);
    }
  }

  /** The next page that was read; null behind the last one. */
  @Nullable ColumnPage nextPage() {
    DataPage next = pages.readPage();
    if (next == null) {
      return null;
    }
    // a whole row group has no row numbers in its pages, which follow one another
    long follows = page == null ? 0 : page.firstRow() + page.rows();
    page = ColumnPage.of(next, column, dictionary, next.getFirstRowIndex().orElse(follows));
    return page;
  }

  /** Goes forward to a row, whose page must have been read. */
  void moveTo(long target) {
    ColumnPage at = page;
    while (at == null || at.firstRow() + at.rows() <= target) {
      at = nextPage();
      if (at == null) {
        throw missing(target);
      }
    }
    if (at.firstRow() > target) {
      throw missing(target);
    }
    at.moveTo((int) (target - at.firstRow()));
  }

  private IllegalStateException missing(long row) {
    return new IllegalStateException(
        "Row %d of column %s is not among the pages read".formatted(row, column));
  }

  boolean isNull() {
    return current().isNull();
  }

  /** The reader to take the current row's value from, once. */
  ValuesReader value() {
    return current().take();
  }

  private ColumnPage current() {
    ColumnPage at = page;
    if (at == null) {
      throw new IllegalStateException("No row of column %s was asked for".formatted(column));
    }
    return at;
  }
}
