package io.rowmark.formats.audit;

import io.rowmark.formats.audit.BoundDeletes.Bound;
import java.util.List;

/**
 * The deletes of one data file.
 *
 * @param vectors deletion vectors that name it, also those that are too old
 * @param positions file-scoped position delete files that apply, unless there is a vector
 * @param spanning partition-scoped position delete files that may apply, unless there is a vector
 * @param equality equality delete files that may apply
 * @param partition number of the data file's partition, see {@link PartitionIds}
 */
record AppliedDeletes(
    List<Bound> vectors, List<Bound> positions, long spanning, long equality, int partition) {

  /** Dead rows of the data file, from and to. */
  record Range(long atLeast, long atMost) {}

  /** How many delete files a reader applies: a vector stands for all positions. */
  long count() {
    return equality + (vectors.isEmpty() ? positions.size() + spanning : vectors.size());
  }

  boolean hidesPositions() {
    return !vectors.isEmpty() && (!positions.isEmpty() || spanning > 0);
  }

  /**
   * See {@link DeadRows}.
   *
   * @param rows of the data file
   */
  Range dead(long rows) {
    List<Bound> exact = vectors.isEmpty() ? positions : vectors;
    long largest = exact.stream().mapToLong(Bound::records).max().orElse(0);
    long sum = exact.stream().mapToLong(Bound::records).sum();
    boolean unknown = equality > 0 || (vectors.isEmpty() && spanning > 0);
    return new Range(Math.min(largest, rows), unknown ? rows : Math.min(sum, rows));
  }
}
