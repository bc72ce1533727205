package io.rowmark.index.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison saw; counts are of the sample if one was taken.
 *
 * @param dataSnapshotId snapshot of the data table that was read; null for none
 * @param indexSnapshotId snapshot of the index that was read; null for none
 * @param rowsInTable live rows
 * @param entriesInIndex entries that name a place
 * @param tombstones entries of deleted keys
 * @param differences the first of them, at most {@link #MOST_EXAMPLES}
 * @param differenceCount all of them
 * @param sampledPercent share of the keys that was compared; 100 for all
 */
public record VerifyReport(
    @Nullable Long dataSnapshotId,
    @Nullable Long indexSnapshotId,
    long rowsInTable,
    long entriesInIndex,
    long tombstones,
    List<Difference> differences,
    long differenceCount,
    double sampledPercent) {

  public static final int MOST_EXAMPLES = 20;

  public VerifyReport {
    differences = List.copyOf(differences);
  }

  /** Whether index and table agree in all that was compared. */
  public boolean agrees() {
    return differenceCount == 0;
  }
}
