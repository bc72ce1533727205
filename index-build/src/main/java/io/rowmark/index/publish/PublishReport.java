package io.rowmark.index.publish;

import org.jspecify.annotations.Nullable;

/**
 * One commit of the target branch.
 *
 * @param number from 1, in this run
 * @param source the snapshot of the source whose rows the target shows now
 * @param sourceSnapshots snapshots of the source that were published by this commit; 0 if the
 *     history does not tell
 * @param target the target's new snapshot
 * @param comparedAll why all files were compared; null if only what came since the last publication
 * @param filesAdded data files that the target did not have
 * @param filesRemoved data files that it has no longer: compacted or overwritten on the source, or
 *     without a live row
 * @param filesMasked data files of which rows were hidden
 * @param filesResolved data files whose deletes were worked out
 * @param bytesCompared bytes of data files whose key values were compared
 * @param rowsHidden rows that are hidden by position now
 * @param deleteFilesAdded delete files or deletion vectors written
 * @param attempts how often it was planned
 */
public record PublishReport(
    int number,
    long source,
    int sourceSnapshots,
    long target,
    @Nullable String comparedAll,
    int filesAdded,
    int filesRemoved,
    int filesMasked,
    int filesResolved,
    long bytesCompared,
    long rowsHidden,
    int deleteFilesAdded,
    int attempts,
    long millis) {}
