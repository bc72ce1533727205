package io.rowmark.index.lookup;

import org.jspecify.annotations.Nullable;

/**
 * One entry of an index, without its key.
 *
 * @param dataFile null for a deleted key
 * @param position in the data file; null for a deleted key
 * @param rowId null when the row has the id that its file gives it, or none
 * @param changeOrder of the change last applied, see {@link io.rowmark.formats.change.ChangeOrder};
 *     null when not kept
 */
public record IndexEntry(
    @Nullable String dataFile,
    @Nullable Long position,
    @Nullable Long rowId,
    byte @Nullable [] changeOrder) {}
