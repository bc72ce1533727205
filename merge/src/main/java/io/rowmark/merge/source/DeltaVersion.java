package io.rowmark.merge.source;

import io.rowmark.merge.source.DeltaDifference.DeletionVectors;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A version of a Delta table, as its history tells of it.
 *
 * @param operation what made it; null where its writer does not say
 * @param files what it says it did to files
 * @param metrics counts of the operation, by the names of Delta's documentation; may be empty
 */
record DeltaVersion(
    long number, Instant at, @Nullable String operation, Files files, Map<String, String> metrics) {

  /** What it may have done to files. */
  enum Files {
    /** Only added some. */
    ADDED,
    ANY
  }

  /**
   * Operations that rewrite, describe or clean up, and never change a row. All others may, those of
   * unknown writers among them: whether they did is for the rows to tell.
   */
  private static final Set<String> WITHOUT_CHANGE =
      Set.of(
          "OPTIMIZE",
          "REORG",
          "VACUUM START",
          "VACUUM END",
          "SET TBLPROPERTIES",
          "UNSET TBLPROPERTIES",
          "UPGRADE PROTOCOL",
          "DROP FEATURE",
          "ADD DELETION VECTORS TOMBSTONES",
          "ADD COLUMNS",
          "CHANGE COLUMN",
          "CHANGE COLUMNS",
          "RENAME COLUMN",
          "REPLACE COLUMNS",
          "DROP COLUMNS",
          "UPDATE SCHEMA",
          "UPDATE COLUMN METADATA",
          "ADD CONSTRAINT",
          "DROP CONSTRAINT",
          "CLUSTER BY",
          "COMPUTE STATS",
          "DOMAIN METADATA",
          "ROW TRACKING BACKFILL",
          "ROW TRACKING UNBACKFILL");

  /** Metrics that count the bytes of files that came and went. */
  private static final Set<String> BYTES =
      Set.of(
          "numOutputBytes",
          "numAddedBytes",
          "numRemovedBytes",
          "numTargetBytesAdded",
          "numTargetBytesRemoved",
          "restoredFilesSize",
          "removedFilesSize");

  /** Metrics that count deletion vectors. */
  private static final Set<String> VECTORS =
      Set.of("numDeletionVectorsAdded", "numDeletionVectorsRemoved", "numDeletionVectorsUpdated");

  DeltaVersion {
    metrics = Map.copyOf(metrics);
  }

  boolean mayChangeRows() {
    return operation == null || !WITHOUT_CHANGE.contains(operation.toUpperCase(Locale.ROOT));
  }

  /** Whether it made the table, or another in its place. */
  boolean makesTable() {
    String text = operation == null ? "" : operation.toUpperCase(Locale.ROOT);
    return text.contains("CREATE") || text.contains("REPLACE") || text.contains("CLONE");
  }

  /** Whether it may have given files that stay other deletion vectors. */
  DeletionVectors vectors() {
    boolean counted = metrics.keySet().containsAll(VECTORS);
    boolean none = VECTORS.stream().allMatch(name -> "0".equals(metrics.get(name)));
    return files == Files.ADDED || (counted && none)
        ? DeletionVectors.AS_THEY_WERE
        : DeletionVectors.MAY_DIFFER;
  }

  /** Bytes of the files that came and went, as far as the history tells. */
  long bytes() {
    long bytes = 0;
    for (String name : BYTES) {
      String text = metrics.getOrDefault(name, "");
      bytes += text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }
    return bytes;
  }
}
