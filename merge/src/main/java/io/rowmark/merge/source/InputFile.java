package io.rowmark.merge.source;

import java.io.Serializable;
import java.time.Instant;

/**
 * One landed file.
 *
 * @param path where to read it
 * @param name path relative to the landing folder: its identity in the ledger
 * @param size bytes as stored
 * @param modified the store's modification time
 */
public record InputFile(String path, String name, long size, Instant modified)
    implements Serializable {}
