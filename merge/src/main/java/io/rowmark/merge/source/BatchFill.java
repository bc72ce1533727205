package io.rowmark.merge.source;

import io.rowmark.merge.spec.BatchSpec;
import java.util.function.LongUnaryOperator;

/** How much a batch has taken for one table so far, against the limits. */
final class BatchFill {
  private final BatchSpec limits;
  private int inputs;
  private long bytes;
  private long records;

  BatchFill(BatchSpec limits) {
    this.limits = limits;
  }

  /**
   * Takes an input if it stays within the limits; the first one is always taken.
   *
   * @param size bytes as stored
   * @param count records of the input, asked only where records are limited: how many there are, or
   *     any number from the given one on
   */
  boolean take(long size, LongUnaryOperator count) {
    if (limits.isFull(inputs, bytes + size)) {
      return false;
    }
    if (limits.limitsRecords()) {
      long left = limits.maxRecords() - records;
      if (inputs > 0 && left <= 0) {
        return false;
      }
      long found = count.applyAsLong(left + 1);
      if (inputs > 0 && found > left) {
        return false;
      }
      records += found;
    }
    inputs++;
    bytes += size;
    return true;
  }
}
