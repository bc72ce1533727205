package io.rowmark.index.resolve;

import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeyRange;
import io.rowmark.formats.key.SortedKeys;
import java.util.List;

/**
 * Merges the rows of a row group with wanted keys. Rows should ascend; where they do not, as in a
 * file that another engine rewrote without its order, the place among the keys is searched anew.
 */
final class KeyMerge {
  private final SortedKeys keys;
  private final KeyRange range;
  private final RowCursor rows;
  private final StoredKey[] columns;
  private final boolean nullable;

  private final long[] longs;
  private final byte[][] bytes;
  private int read;

  KeyMerge(SortedKeys keys, KeyRange range, RowCursor rows, List<StoredKey> columns) {
    this.keys = keys;
    this.range = range;
    this.rows = rows;
    this.columns = columns.toArray(StoredKey[]::new);
    this.nullable =
        columns.stream().anyMatch(column -> column.column().getMaxDefinitionLevel() > 0);
    this.longs = new long[this.columns.length];
    this.bytes = new byte[this.columns.length][];
  }

  /** Takes a row that has a wanted key. */
  @FunctionalInterface
  interface Matches {
    void found(long row, int key);
  }

  void run(Matches matches) {
    if (columns.length == 1 && keys.form(0) == KeyForm.LONG) {
      new LongMerge(keys, range, rows.column(0), columns[0]).run(matches);
      return;
    }
    int key = range.from();
    while (rows.next()) {
      if (nullable && rows.anyNull()) {
        continue;
      }
      read = 0;
      key = locate(key);
      if (key < range.to() && compare(key) == 0) {
        matches.found(rows.row(), key);
      }
    }
  }

  /** The first wanted key that is not below the current row. */
  private int locate(int start) {
    int key = start;
    while (key < range.to() && compare(key) > 0) {
      key++;
    }
    boolean descended = key == start && key > range.from() && compare(key - 1) <= 0;
    return descended ? keys.firstAtLeast(range, this::compare) : key;
  }

  /** Compares the current row with a wanted key. */
  private int compare(int key) {
    for (int column = 0; column < columns.length; column++) {
      if (column == read) {
        read(column);
      }
      int order =
          keys.form(column) == KeyForm.LONG
              ? keys.compareLong(longs[column], key, column)
              : keys.compareBytes(bytes[column], key, column);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** A value is decoded only if the columns before it do not settle the order. */
  private void read(int column) {
    if (keys.form(column) == KeyForm.LONG) {
      longs[column] = columns[column].readLong(rows.reader(column));
    } else {
      bytes[column] = columns[column].readBytes(rows.reader(column));
    }
    read++;
  }
}
