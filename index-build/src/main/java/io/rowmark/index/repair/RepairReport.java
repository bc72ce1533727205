package io.rowmark.index.repair;

import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.verify.Difference;
import io.rowmark.index.verify.Difference.Kind;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a repair found and did.
 *
 * @param table the data table
 * @param index its index
 * @param outcome whether anything was wrong, and is
 * @param kinds how many differences of each kind were found
 * @param differences the first of them
 * @param mended what was written; null when nothing was
 * @param duplicates rows of the data table that were deleted since a newer row has their key
 * @param dataSnapshotId the snapshot of the table that was compared; null for none
 * @param millis wall time
 */
public record RepairReport(
    String table,
    String index,
    Outcome outcome,
    Map<Kind, Long> kinds,
    List<Difference> differences,
    @Nullable Mended mended,
    Duplicates duplicates,
    @Nullable Long dataSnapshotId,
    long millis) {

  /** How a repair ended. */
  public enum Outcome {
    /** Index and table agree, and nothing was done. */
    SOUND,
    /** There are differences, and nothing was done. */
    DIFFERS,
    /** There were differences; now there are none. */
    MENDED
  }

  /**
   * The commit that mended an index.
   *
   * @param entriesDropped wrong, surplus and doubled entries that are gone
   * @param entriesAdded entries written for rows
   * @param tombstones entries written for deleted keys
   * @param bytes written
   * @param filesReadAgain data files that were read to check the new entries
   */
  public record Mended(
      long entriesDropped,
      long entriesAdded,
      long tombstones,
      long bytes,
      int filesReadAgain,
      long indexSnapshotId) {}

  public RepairReport {
    kinds = Collections.unmodifiableMap(new TreeMap<>(kinds));
    differences = List.copyOf(differences);
  }

  /** Differences of all kinds. */
  public long differenceCount() {
    return kinds.values().stream().mapToLong(Long::longValue).sum();
  }
}
