package io.rowmark.index.history;

import io.rowmark.index.lookup.IndexEntry;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A time in which the index said the same of a key.
 *
 * @param entries what it said: nothing, a place, a deleted key; of a damaged index several
 * @param since the data table's snapshot from which on it was so; null for a table without one
 * @param until the last snapshot known to be so
 * @param at when {@code since} was committed
 * @param batchId the batch that made it so; null for what no batch made, as after a reconcile
 * @param indexSnapshotId the first snapshot of the index that says so
 */
public record Stay(
    List<IndexEntry> entries,
    @Nullable Long since,
    @Nullable Long until,
    Instant at,
    @Nullable String batchId,
    long indexSnapshotId) {
  public Stay {
    entries = List.copyOf(entries);
  }

  /** The same, known to have lasted longer. */
  Stay until(@Nullable Long later) {
    return new Stay(entries, since, later, at, batchId, indexSnapshotId);
  }

  boolean says(List<IndexEntry> others) {
    if (entries.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!same(entries.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(IndexEntry one, IndexEntry other) {
    return Objects.equals(one.dataFile(), other.dataFile())
        && Objects.equals(one.position(), other.position())
        && Objects.equals(one.rowId(), other.rowId())
        && Arrays.equals(one.changeOrder(), other.changeOrder());
  }
}
