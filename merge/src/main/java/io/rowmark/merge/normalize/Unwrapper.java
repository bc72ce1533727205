package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.RecordView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes a change out of what stands around it: key and value of a record, schema and payload. */
final class Unwrapper {
  private static final String SCHEMA = "schema";

  private final EnvelopeLayout.Wrapping wrapping;
  private final @Nullable FieldPath op;
  private final boolean rowIsWhole;

  Unwrapper(EnvelopeLayout layout) {
    this.wrapping = layout.wrapping();
    this.op = layout.op().path();
    this.rowIsWhole = layout.images().after() != null && layout.images().after().isWhole();
  }

  Unwrapped unwrap(RecordView record) {
    Map<String, @Nullable Object> value = record.whole();
    FieldPath wrapped = wrapping.value();
    if (wrapped != null && wrapped.isIn(record)) {
      Object inner = wrapped.in(record);
      if (inner == null) {
        return tombstone(record);
      }
      if (!(inner instanceof Map<?, ?> map)) {
        return new Unwrapped.Unreadable("the value is not an object");
      }
      value = textKeys(map);
    }
    Object schema = value.get(SCHEMA) instanceof Map<?, ?> map ? map : null;
    if (wrapping.payload() != null && hasPayload(value, wrapping.payload())) {
      Object payload = value.get(wrapping.payload());
      if (payload == null) {
        return tombstone(record);
      }
      if (!(payload instanceof Map<?, ?> map)) {
        return new Unwrapped.Unreadable("the payload is not an object");
      }
      value = textKeys(map);
    }
    RecordView change =
        value == record.whole()
            ? record
            : new RecordView(
                value, record.whole(), record.file(), record.rank(), record.place(), 0);
    return new Unwrapped.Change(change, schema);
  }

  private boolean hasPayload(Map<String, @Nullable Object> value, String payload) {
    if (!value.containsKey(payload)) {
      return false;
    }
    // a flat row may have a column of that name
    return rowIsWhole
        ? value.containsKey(SCHEMA) && value.size() == 2
        : op == null || op.in(value) == null;
  }

  private Unwrapped tombstone(RecordView record) {
    FieldPath path = wrapping.key();
    Object key = path == null ? null : path.in(record);
    if (key instanceof Map<?, ?> map
        && wrapping.payload() != null
        && map.containsKey(wrapping.payload())) {
      key = map.get(wrapping.payload());
    }
    return new Unwrapped.Tombstone(key instanceof Map<?, ?> row ? textKeys(row) : null);
  }

  @SuppressWarnings("unchecked") // records have text keys only
  private static Map<String, @Nullable Object> textKeys(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
