package io.rowmark.index.purge;

import java.io.Serializable;
import org.apache.iceberg.DeleteFile;
import org.jspecify.annotations.Nullable;

/**
 * An equality delete file that holds keys.
 *
 * @param location of the file
 * @param replacement what took its place; null if nothing else was in it, or nothing was written
 * @param purged records with one of the keys, at least one
 */
record RewrittenDeletes(String location, @Nullable DeleteFile replacement, long purged)
    implements Serializable {}
