package io.rowmark.formats.audit;

import java.util.Arrays;

/** The data sequence numbers of the delete files of one scope. */
final class SequenceNumbers {
  private long[] numbers = new long[4];
  private int size;

  void add(long number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, size * 2);
    }
    numbers[size++] = number;
  }

  /** To be called once, after the last {@link #add} and before the first question. */
  void sort() {
    numbers = Arrays.copyOf(numbers, size);
    Arrays.sort(numbers);
  }

  /** How many are {@code number} or above. */
  long from(long number) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers[middle] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return size - low;
  }
}
