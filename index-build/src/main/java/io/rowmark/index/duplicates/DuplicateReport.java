package io.rowmark.index.duplicates;

import org.jspecify.annotations.Nullable;

/**
 * What a search for repeated keys found.
 *
 * @param dataSnapshotId snapshot of the table that was read; null for none
 * @param filesRead data files whose keys were read
 */
public record DuplicateReport(
    String table,
    @Nullable Long dataSnapshotId,
    int filesRead,
    Duplicates duplicates,
    long millis) {}
