package io.rowmark.index.purge;

import java.io.Serializable;
import java.util.Arrays;

/** Which rows of a file were written again, as runs of positions. */
final class KeptRuns implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long[] starts;
  private final long[] ordinals;
  private final long kept;

  private KeptRuns(long[] starts, long[] ordinals, long kept) {
    this.starts = starts;
    this.ordinals = ordinals;
    this.kept = kept;
  }

  /** How many rows were kept. */
  long size() {
    return kept;
  }

  /** How many kept rows lie before this one, which is kept; negative if it is not. */
  long ordinal(long position) {
    int found = Arrays.binarySearch(starts, position);
    int run = found >= 0 ? found : -found - 2;
    if (run < 0) {
      return -1;
    }
    long ordinal = ordinals[run] + (position - starts[run]);
    long end = run + 1 < ordinals.length ? ordinals[run + 1] : kept;
    return ordinal < end ? ordinal : -1;
  }

  /** Gathers the positions of kept rows, in ascending order. */
  static final class Builder {
    private long[] starts = new long[16];
    private long[] ordinals = new long[16];
    private int runs;
    private long kept;
    private long next = -1;

    void add(long position) {
      if (position < next) {
        throw new IllegalStateException("Positions of a file do not ascend");
      }
      if (position != next) {
        if (runs == starts.length) {
          starts = Arrays.copyOf(starts, runs * 2);
          ordinals = Arrays.copyOf(ordinals, runs * 2);
        }
        starts[runs] = position;
        ordinals[runs] = kept;
        runs++;
      }
      kept++;
      next = position + 1;
    }

    KeptRuns build() {
      return new KeptRuns(Arrays.copyOf(starts, runs), Arrays.copyOf(ordinals, runs), kept);
    }
  }
}
