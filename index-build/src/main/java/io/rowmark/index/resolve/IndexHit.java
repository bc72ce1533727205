package io.rowmark.index.resolve;

import io.rowmark.index.lookup.IndexEntry;
import java.io.Serializable;

/**
 * A live entry of a wanted key.
 *
 * @param key ordinal among the wanted keys
 * @param indexFile path of the index file, as Iceberg's metadata spells it
 * @param indexPosition row number in the index file, from 0
 */
public record IndexHit(int key, IndexEntry entry, String indexFile, long indexPosition)
    implements Serializable {}
