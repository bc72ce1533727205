package io.rowmark.merge.normalize;

import io.rowmark.formats.change.RecordView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands inside a record. */
sealed interface Unwrapped {

  /**
   * A change.
   *
   * @param schema the Connect schema beside it; null for none
   */
  record Change(RecordView record, @Nullable Object schema) implements Unwrapped {}

  /**
   * A null.
   *
   * @param key the key of the record; null where the record has none, or it is no object
   */
  record Tombstone(@Nullable Map<String, @Nullable Object> key) implements Unwrapped {}

  /** Something else. */
  record Unreadable(String reason) implements Unwrapped {}
}
