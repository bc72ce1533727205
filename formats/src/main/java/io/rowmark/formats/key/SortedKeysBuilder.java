package io.rowmark.formats.key;

import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.types.Type;

/** Gathers wanted keys; not thread-safe. */
public final class SortedKeysBuilder {
  private final List<Type> types;
  private final KeyForm[] forms;
  private long[][] longs;
  private byte[][][] bytes;
  private int size;

  SortedKeysBuilder(List<Type> types) {
    this.types = types;
    this.forms = types.stream().map(KeyForm::of).toArray(KeyForm[]::new);
    this.longs = new long[forms.length][];
    this.bytes = new byte[forms.length][][];
    grow(16);
  }

  private void grow(int capacity) {
    for (int column = 0; column < forms.length; column++) {
      if (forms[column] == KeyForm.LONG) {
        long[] old = longs[column];
        longs[column] = old == null ? new long[capacity] : Arrays.copyOf(old, capacity);
      } else {
        byte[][] old = bytes[column];
        bytes[column] = old == null ? new byte[capacity][] : Arrays.copyOf(old, capacity);
      }
    }
  }

  /** Adds a key whose values are as {@link KeyForm#encode} takes them. */
  public SortedKeysBuilder add(List<?> values) {
    for (int column = 0; column < forms.length; column++) {
      set(column, KeyForm.encode(types.get(column), values.get(column)));
    }
    return next();
  }

  /** Sets a value, in the column's form, of the key that {@link #next} will add. */
  public void set(int column, Object value) {
    if (forms[column] == KeyForm.LONG) {
      setLong(column, (Long) value);
    } else {
      setBytes(column, (byte[]) value);
    }
  }

  /** Sets a value of the key that {@link #next} will add, in a column of form LONG. */
  public void setLong(int column, long value) {
    longs[column][size] = value;
  }

  /** Sets a value of the key that {@link #next} will add, in a column of form BYTES. */
  public void setBytes(int column, byte[] value) {
    bytes[column][size] = value;
  }

  /** Adds the key whose columns have been set. */
  public SortedKeysBuilder next() {
    size++;
    if (size == capacity()) {
      grow(Math.multiplyExact(size, 2));
    }
    return this;
  }

  private int capacity() {
    return forms[0] == KeyForm.LONG ? longs[0].length : bytes[0].length;
  }

  /**
   * The keys, which were added in ascending order and each once.
   *
   * @throws IllegalArgumentException when they were not
   */
  public SortedKeys build() {
    SortedKeys keys = take();
    for (int i = 1; i < keys.size(); i++) {
      if (keys.compareKeys(i - 1, i) >= 0) {
        throw new IllegalArgumentException("Key %d is not above the one before it".formatted(i));
      }
    }
    return keys;
  }

  /** The keys in ascending order and each once, however they were added. */
  public SortedKeys sorted() {
    SortedKeys keys = take();
    Integer[] order = new Integer[keys.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, keys::compareKeys);
    SortedKeysBuilder sorted = new SortedKeysBuilder(types);
    int last = -1;
    for (int ordinal : order) {
      if (last < 0 || keys.compareKeys(last, ordinal) != 0) {
        sorted.copy(keys, ordinal);
      }
      last = ordinal;
    }
    return sorted.take();
  }

  /**
   * The keys in ascending order, with what tells which added key is where.
   *
   * @throws IllegalArgumentException when a key was added twice
   */
  public Ascending ascending() {
    SortedKeys keys = take();
    Integer[] order = new Integer[keys.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, keys::compareKeys);
    SortedKeysBuilder sorted = new SortedKeysBuilder(types);
    for (int ordinal : order) {
      sorted.copy(keys, ordinal);
    }
    int[] added = Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    return new Ascending(sorted.build(), added);
  }

  /**
   * Keys in ascending order.
   *
   * @param added for each key its number in the order in which keys were added, from 0
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Ascending(SortedKeys keys, int[] added) {}

  private void copy(SortedKeys keys, int ordinal) {
    for (int column = 0; column < forms.length; column++) {
      set(column, keys.shared(ordinal, column));
    }
    next();
  }

  private SortedKeys take() {
    SortedKeys keys = new SortedKeys(forms, longs, bytes, size);
    longs = new long[forms.length][];
    bytes = new byte[forms.length][][];
    size = 0;
    grow(16);
    return keys;
  }
}
