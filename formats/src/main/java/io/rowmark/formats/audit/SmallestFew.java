package io.rowmark.formats.audit;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The few smallest of many values: examples that do not depend on the order in which manifests were
 * read.
 */
final class SmallestFew<T> {
  private final TreeSet<T> values;

  SmallestFew(Comparator<? super T> order) {
    this.values = new TreeSet<>(order);
  }

  void add(T value) {
    values.add(value);
    if (values.size() > FileTally.EXAMPLES) {
      values.pollLast();
    }
  }

  List<T> values() {
    return List.copyOf(values);
  }
}
