package io.rowmark.index.resolve;

import java.util.Arrays;

/** Rows of a row group that have wanted keys, ascending by row. */
final class RowMatches {
  private long[] rows = new long[16];
  private int[] keys = new int[16];
  private int size;

  void add(long row, int key) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, size * 2);
      keys = Arrays.copyOf(keys, size * 2);
    }
    rows[size] = row;
    keys[size] = key;
    size++;
  }

  int size() {
    return size;
  }

  /** Number of the row in its row group. */
  long row(int i) {
    return rows[i];
  }

  /** Ordinal of the row's key among the wanted keys. */
  int key(int i) {
    return keys[i];
  }
}
