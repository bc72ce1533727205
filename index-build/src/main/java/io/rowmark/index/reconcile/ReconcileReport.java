package io.rowmark.index.reconcile;

import io.rowmark.index.duplicates.Duplicates;
import org.jspecify.annotations.Nullable;

/**
 * What a reconcile did.
 *
 * @param basis how it was known which files the index has
 * @param reason why the index was stale; part of a sentence whose subject is the index
 * @param filesVanished data files that are not live any more
 * @param filesRead data files whose keys were read
 * @param filesMasked data files of which only deleted positions were compared
 * @param rowsRead live rows in the files read
 * @param entriesDropped entries that are gone, tombstones that found a row among them
 * @param entriesAdded entries written for rows
 * @param tombstones entries written for deleted keys
 * @param entriesKept entries, tombstones too, that stayed as they were
 * @param bytes written: sorted run and deletes
 * @param dataSnapshotId the snapshot that the index covers now; null for a table without one
 * @param indexSnapshotId the last commit to the index
 * @param millis wall time
 * @param commits commits to the index
 * @param duplicates rows of the data table that were deleted since a newer row has their key
 */
public record ReconcileReport(
    Basis basis,
    String reason,
    int filesVanished,
    int filesRead,
    int filesMasked,
    long rowsRead,
    long entriesDropped,
    long entriesAdded,
    long tombstones,
    long entriesKept,
    long bytes,
    @Nullable Long dataSnapshotId,
    long indexSnapshotId,
    long millis,
    int commits,
    Duplicates duplicates) {

  /** Where the known files came from. */
  public enum Basis {
    /** The snapshot that the index covers; the table still has it. */
    COVERED_SNAPSHOT,
    /** The entries themselves, since that snapshot is expired. */
    ENTRIES
  }
}
