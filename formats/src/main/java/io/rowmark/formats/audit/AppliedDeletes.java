package io.rowmark.formats.audit;

import io.rowmark.formats.audit.BoundDeletes.Bound;
import io.rowmark.formats.delete.DeleteFormat;
import java.util.List;

/**
 * The deletes of one data file.
 *
 * @param vectors deletion vectors that name it, also those that are too old
 * @param positions file-scoped position delete files that apply, unless there is a vector
 * @param spanning partition-scoped position delete files that may apply, unless there is a vector
 * @param globalEquality global equality delete files that may apply
 * @param equality partition-scoped equality delete files that may apply
 * @param partition number of the data file's partition, see {@link PartitionIds}
 */
record AppliedDeletes(
    List<Bound> vectors,
    List<Bound> positions,
    long spanning,
    long globalEquality,
    long equality,
    int partition) {

  /** Dead rows of the data file, from and to. */
  record Range(long atLeast, long atMost) {}

  /** How many delete files of all kinds a reader applies. */
  long count() {
    return count(DeleteFormat.EQUALITY, DeleteScope.GLOBAL)
        + count(DeleteFormat.EQUALITY, DeleteScope.PARTITION)
        + count(DeleteFormat.POSITION, DeleteScope.PARTITION)
        + count(DeleteFormat.POSITION, DeleteScope.FILE)
        + vectors.size();
  }

  /** How many delete files of a kind and scope a reader applies: vectors stand for positions. */
  long count(DeleteFormat kind, DeleteScope scope) {
    return switch (kind) {
      case EQUALITY -> scope == DeleteScope.GLOBAL ? globalEquality : equality;
      case POSITION -> {
        long positional = scope == DeleteScope.FILE ? positions.size() : spanning;
        yield vectors.isEmpty() ? positional : 0;
      }
      case DELETION_VECTOR -> vectors.size();
    };
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
    boolean unknown = globalEquality > 0 || equality > 0 || (vectors.isEmpty() && spanning > 0);
    return new Range(Math.min(largest, rows), unknown ? rows : Math.min(sum, rows));
  }
}
