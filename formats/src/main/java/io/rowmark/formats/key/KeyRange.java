package io.rowmark.formats.key;

import java.io.Serializable;

/**
 * A run of sorted keys by their ordinals.
 *
 * @param from first ordinal
 * @param to ordinal after the last one
 */
public record KeyRange(int from, int to) implements Serializable {
  public boolean isEmpty() {
    return from >= to;
  }

  /** How many keys it has. */
  public int size() {
    return Math.max(0, to - from);
  }
}
