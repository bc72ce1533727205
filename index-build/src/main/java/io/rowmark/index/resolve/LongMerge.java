package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.SortedKeys;
import org.apache.parquet.column.values.ValuesReader;
import org.jspecify.annotations.Nullable;

/**
 * Merges a row group's only key column, of numbers, with wanted keys: a page is decoded at once,
 * and the keys that can be in it are searched in it. A page whose rows do not ascend, as in a file
 * that another engine rewrote without its order, is searched the other way round.
 */
final class LongMerge {
  private static final int COLUMN = 0;

  private final SortedKeys keys;
  private final KeyRange range;
  private final ColumnWalker pages;
  private final StoredKey column;
  private long[] values = new long[0];
  private int count;

  LongMerge(SortedKeys keys, KeyRange range, ColumnWalker pages, StoredKey column) {
    this.keys = keys;
    this.range = range;
    this.pages = pages;
    this.column = column;
  }

  void run(KeyMerge.Matches matches) {
    for (ColumnPage page = pages.nextPage(); page != null; page = pages.nextPage()) {
      int @Nullable [] rows = page.isDense() ? null : new int[page.rows()];
      boolean ascends = decode(page, rows);
      long first = page.firstRow();
      KeyMerge.Matches found =
          (value, key) -> matches.found(first + (rows == null ? value : rows[(int) value]), key);
      if (ascends) {
        searchKeys(found);
      } else {
        searchRows(found);
      }
    }
  }

  /**
   * Takes the values of a page.
   *
   * @param rows gets the row of each value; null when every row has one
   * @return whether they ascend
   */
  private boolean decode(ColumnPage page, int @Nullable [] rows) {
    if (values.length < page.rows()) {
      values = new long[page.rows()];
    }
    count = 0;
    boolean ascends = true;
    long last = Long.MIN_VALUE;
    ValuesReader reader = page.take();
    for (int row = 0; row < page.rows(); row++) {
      if (rows != null) {
        if (page.isNull(row)) {
          continue;
        }
        rows[count] = row;
      }
      long value = column.readLong(reader);
      ascends &= value >= last;
      last = value;
      values[count++] = value;
    }
    return ascends;
  }

  private void searchKeys(KeyMerge.Matches found) {
    if (count == 0) {
      return;
    }
    int row = 0;
    for (int key = firstAtLeast(values[0]);
        key < range.to() && keys.compareLong(values[count - 1], key, COLUMN) >= 0;
        key++) {
      row = firstRow(row, key);
      for (int same = row;
          same < count && keys.compareLong(values[same], key, COLUMN) == 0;
          same++) {
        found.found(same, key);
      }
    }
  }

  /** The first row from a given one on that is not below a key. */
  private int firstRow(int from, int key) {
    int low = from;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compareLong(values[middle], key, COLUMN) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void searchRows(KeyMerge.Matches found) {
    for (int row = 0; row < count; row++) {
      int key = firstAtLeast(values[row]);
      if (key < range.to() && keys.compareLong(values[row], key, COLUMN) == 0) {
        found.found(row, key);
      }
    }
  }

  private int firstAtLeast(long value) {
    return keys.firstAtLeast(range, key -> keys.compareLong(value, key, COLUMN));
  }
}
