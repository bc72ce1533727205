package io.rowmark.index.verify;

import io.rowmark.index.verify.Difference.Kind;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * @param kinds how many there are of each kind; kinds that there are none of are left out
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
    Map<Kind, Long> kinds,
    double sampledPercent) {

  public static final int MOST_EXAMPLES = 20;

  public VerifyReport {
    differences = List.copyOf(differences);
    kinds = Collections.unmodifiableMap(new TreeMap<>(kinds));
  }

  /** Whether index and table agree in all that was compared. */
  public boolean agrees() {
    return differenceCount == 0;
  }
}
