package io.rowmark.index.purge;

import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * A file that is to be written again, or may have to be.
 *
 * @param order in which its rows lie; null if none is recorded
 */
record RewriteItem(LiveFile live, @Nullable SortOrder order, Reason reason)
    implements Serializable {

  /** Why. */
  enum Reason {
    /** It holds a key. */
    HOLDS_KEYS,
    /** It is of an index, and may have entries of rows that lie elsewhere now. */
    MAY_NAME_MOVED_ROWS
  }

  static RewriteItem of(Table table, LiveFile live, Reason reason) {
    Integer order = live.file().sortOrderId();
    return new RewriteItem(live, order == null ? null : table.sortOrders().get(order), reason);
  }
}
