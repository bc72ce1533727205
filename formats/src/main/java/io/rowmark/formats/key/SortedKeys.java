package io.rowmark.formats.key;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Keys in ascending order and each once, by column, to be merged with sorted files. A key is named
 * by its ordinal.
 */
public final class SortedKeys implements Serializable {
  private static final long serialVersionUID = 1L;

  private final KeyForm[] forms;
  private final long[][] longs;
  private final byte[][][] bytes;
  private final int size;

  SortedKeys(KeyForm[] forms, long[][] longs, byte[][][] bytes, int size) {
    this.forms = forms;
    this.longs = longs;
    this.bytes = bytes;
    this.size = size;
  }

  /** Gathers keys of some key columns. */
  public static SortedKeysBuilder builder(KeySpec key) {
    return new SortedKeysBuilder(key.columns().stream().map(KeySpec.KeyColumn::type).toList());
  }

  public int size() {
    return size;
  }

  /** All keys. */
  public KeyRange all() {
    return new KeyRange(0, size);
  }

  /** How many columns a key has. */
  public int width() {
    return forms.length;
  }

  public KeyForm form(int column) {
    return forms[column];
  }

  /** One value, a Long or a byte[] by the column's form. */
  public Object value(int ordinal, int column) {
    return forms[column] == KeyForm.LONG
        ? (Object) longs[column][ordinal]
        : bytes[column][ordinal].clone();
  }

  /** As {@link #value}, without a copy. */
  Object shared(int ordinal, int column) {
    return forms[column] == KeyForm.LONG ? (Object) longs[column][ordinal] : bytes[column][ordinal];
  }

  /** Compares a value with that of a key, in a column of form LONG. */
  public int compareLong(long value, int ordinal, int column) {
    return Long.compare(value, longs[column][ordinal]);
  }

  /** Compares a value with that of a key, in a column of form BYTES. */
  public int compareBytes(byte[] value, int ordinal, int column) {
    return Arrays.compareUnsigned(value, bytes[column][ordinal]);
  }

  private int compare(Object value, int ordinal, int column) {
    return forms[column] == KeyForm.LONG
        ? compareLong((Long) value, ordinal, column)
        : compareBytes((byte[]) value, ordinal, column);
  }

  int compareKeys(int one, int other) {
    for (int column = 0; column < forms.length; column++) {
      int order =
          forms[column] == KeyForm.LONG
              ? Long.compare(longs[column][one], longs[column][other])
              : Arrays.compareUnsigned(bytes[column][one], bytes[column][other]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /**
   * The keys of a range that rows within some bounds can have. A column narrows the range if all
   * columns before it have one value only; behind the first column with several values nothing is
   * known of the order.
   */
  public KeyRange within(KeyRange range, KeyBounds bounds) {
    int from = range.from();
    int to = range.to();
    for (int column = 0; column < forms.length && from < to; column++) {
      Object lower = bounds.lower(column);
      Object upper = bounds.upper(column);
      if (lower != null) {
        from = first(from, to, lower, column, 0);
      }
      if (upper != null) {
        to = first(from, to, upper, column, -1);
      }
      if (lower == null || upper == null || KeyForm.compare(lower, upper) != 0) {
        break;
      }
    }
    return new KeyRange(from, Math.max(from, to));
  }

  /** The first ordinal whose value is at least (0) or more than (-1) a given one. */
  private int first(int from, int to, Object value, int column, int greatest) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(value, middle, column) <= greatest) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The first key of a range that is not below a probe; the range's end when there is none. */
  public int firstAtLeast(KeyRange range, Probe probe) {
    int low = range.from();
    int high = range.to();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (probe.compare(middle) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** A key that is not among these, such as the current row's. */
  @FunctionalInterface
  public interface Probe {
    /** Negative when the probe is below the key of that ordinal, 0 when equal. */
    int compare(int ordinal);
  }
}
