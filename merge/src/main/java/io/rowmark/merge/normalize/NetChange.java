package io.rowmark.merge.normalize;

import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * What a batch does to one key, or, where rows have no key, one event.
 *
 * @param op {@link EventRows#REMOVE}, {@link EventRows#FLAG} or {@link NetChanges#PUT}
 * @param order of the last change; null where the source has none that lasts beyond the batch
 * @param row in the table's columns; only the key is set for a removal
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NetChange(byte op, byte @Nullable [] order, InternalRow row) {
  public boolean isRemoval() {
    return op == EventRows.REMOVE;
  }
}
