package io.rowmark.index.build;

import io.rowmark.index.duplicates.Duplicates;
import org.jspecify.annotations.Nullable;

/**
 * What a build did.
 *
 * @param rows live entries, one for each row of the data table
 * @param tombstones entries kept for deleted keys
 * @param files index files written
 * @param bytes size of these files
 * @param dataSnapshotId the snapshot that the index covers now; null for a table without one
 * @param indexSnapshotId the commit to the index
 * @param millis wall time of the whole build
 * @param duplicates rows of the data table that were deleted since a newer row has their key
 */
public record BuildReport(
    long rows,
    long tombstones,
    int files,
    long bytes,
    @Nullable Long dataSnapshotId,
    long indexSnapshotId,
    long millis,
    Duplicates duplicates) {}
