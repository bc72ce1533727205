package io.rowmark.merge.source;

import java.io.Serializable;
import java.time.Instant;

/**
 * One landed file, or one snapshot of a source table.
 *
 * @param path where to read it; the location of a source table
 * @param name path relative to the landing folder, or {@link SnapshotName}: its identity in the
 *     ledger
 * @param size bytes as stored
 * @param modified the store's modification time, or the time of the snapshot
 */
public record InputFile(String path, String name, long size, Instant modified)
    implements Serializable {}
