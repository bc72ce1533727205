package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayout.Tombstones;
import io.rowmark.formats.change.EventTime;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.OpRule;
import io.rowmark.formats.change.OpRule.Control;
import io.rowmark.formats.change.OpRule.Meaning;
import io.rowmark.formats.change.RecordView;
import io.rowmark.formats.change.RowImages;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.record.SourceRecord.Blank;
import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import io.rowmark.merge.spec.TableFeed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes out of records as an envelope says, whatever the format of their file. One per
 * task: schemas are looked at once.
 */
final class EnvelopeReader {
  private final EnvelopeLayout layout;
  private final TableFeed table;
  private final List<String> key;
  private final Unwrapper unwrapper;
  private final FieldTypes types;
  private final RowImageReader rows;

  /**
   * @param key key columns, empty for an append-only table
   */
  EnvelopeReader(EnvelopeLayout layout, TableFeed table, List<String> key) {
    this.layout = layout;
    this.table = table;
    this.key = key;
    this.unwrapper = new Unwrapper(layout);
    this.types = new FieldTypes(layout);
    this.rows = new RowImageReader(layout, key);
  }

  /** The changes of a record, or the one reason why it has none. */
  List<? extends Parsed> read(SourceRecord record, Slice slice, long place) {
    if (record instanceof Fields fields) {
      try {
        return unwrapped(fields, slice, place);
      } catch (RowmarkException e) {
        return List.of(new Parsed.Bad("bad-schema", String.valueOf(e.getMessage())));
      }
    } else if (record instanceof Broken broken) {
      return List.of(new Parsed.Bad(broken.code(), broken.reason()));
    } else if (record instanceof Blank) {
      return List.of(new Parsed.Skip("blank"));
    }
    return List.of(new Parsed.Skip("tombstone"));
  }

  private List<? extends Parsed> unwrapped(Fields fields, Slice slice, long place) {
    Map<String, @Nullable Object> whole = fields.values();
    RecordView record = new RecordView(whole, whole, slice.fileName(), slice.file(), place, 0);
    Unwrapped found = unwrapper.unwrap(record);
    if (found instanceof Unwrapped.Change change) {
      return changes(change.record(), fields, change.schema());
    } else if (found instanceof Unwrapped.Tombstone tombstone) {
      return List.of(tombstone(tombstone, record));
    }
    return bad("unknown-record", ((Unwrapped.Unreadable) found).reason());
  }

  private Parsed tombstone(Unwrapped.Tombstone tombstone, RecordView record) {
    Map<String, @Nullable Object> image = tombstone.key();
    if (layout.wrapping().tombstones() == Tombstones.SKIP || image == null) {
      return new Parsed.Skip("tombstone");
    }
    byte[] order = layout.order().of(ChangeOrder.STREAM_EPOCH, record);
    return new Parsed.Event(
        ChangeOp.DELETE, image, null, null, null, order, Absent.EMPTY, time(record));
  }

  private List<? extends Parsed> changes(
      RecordView record, Fields fields, @Nullable Object schema) {
    OpRule rule = layout.op();
    Object code = rule.path() == null ? null : rule.path().in(record);
    if (code == null) {
      for (Control control : rule.controls()) {
        if (control.when().holds(record)) {
          return List.of(new Parsed.Skip(control.reason()));
        }
      }
      if (rule.missing() == null) {
        return bad(
            "unknown-record", "the record has no op and is no known control record of " + title());
      }
    }
    Meaning meaning = code == null ? null : rule.codes().get(code.toString());
    if (meaning instanceof Meaning.Skip skip) {
      return List.of(new Parsed.Skip(skip.reason()));
    }
    Parsed other = otherTable(record);
    if (other != null) {
      return List.of(other);
    }
    if (code != null && meaning == null) {
      return bad(
          "unknown-op",
          "the op is none of " + String.join(", ", new TreeSet<>(rule.codes().keySet())));
    }
    Broken defect = fields.defect();
    if (defect != null) {
      return bad(defect.code(), defect.reason());
    }
    @Nullable List<SourceField> described = types.of(record, fields.types(), schema);
    return meaning instanceof Meaning.Former former
        ? events(ChangeOp.DELETE, code, record, described).stream()
            .map(parsed -> former(parsed, former.reason()))
            .toList()
        : events(op(record, meaning), code, record, described);
  }

  /** Of a table without key there is no row to take away. */
  private Parsed former(Parsed parsed, String reason) {
    return parsed instanceof Parsed.Event removal && !key.isEmpty()
        ? new Parsed.Former(removal, reason)
        : new Parsed.Skip(reason);
  }

  private ChangeOp op(RecordView record, @Nullable Meaning meaning) {
    OpRule rule = layout.op();
    if (rule.deleted() != null && rule.deleted().holds(record)) {
      return ChangeOp.DELETE;
    } else if (meaning instanceof Meaning.Change change) {
      return change.op();
    }
    ChangeOp missing = java.util.Objects.requireNonNull(rule.missing());
    // Of a table without key a row that says nothing is one more row.
    return key.isEmpty() && missing == ChangeOp.UPDATE ? ChangeOp.INSERT : missing;
  }

  /** Null when the record is of the table. */
  private @Nullable Parsed otherTable(RecordView record) {
    if (table.sourceTable().isEmpty()) {
      return null;
    }
    String name = SourceTableName.in(record, layout);
    if (name.isEmpty()) {
      return new Parsed.Bad(
          "unknown-table", "the record names no table, and source-table asks for one");
    }
    return SourceTableName.isOf(name, table.sourceTable()) ? null : new Parsed.Skip("other-table");
  }

  private List<Parsed> events(
      ChangeOp op, @Nullable Object code, RecordView record, @Nullable List<SourceField> fields) {
    FieldPath beforePath = layout.images().before();
    FieldPath afterPath = layout.images().after();
    Object before = beforePath == null ? null : beforePath.in(record);
    Object after = afterPath == null ? null : afterPath.in(record);
    if (layout.images().count() == RowImages.Count.MANY) {
      List<Parsed> all = new ArrayList<>();
      Object images = op == ChangeOp.DELETE ? before : after;
      if (op == ChangeOp.TRUNCATE || !(images instanceof List<?> list)) {
        return List.of(event(op, code, record, null, null, fields));
      }
      for (int i = 0; i < list.size(); i++) {
        Object image = list.get(i);
        all.add(event(op, code, record.at(i), image, image, fields));
      }
      return all;
    }
    return List.of(event(op, code, record, before, after, fields));
  }

  private Parsed event(
      ChangeOp op,
      @Nullable Object code,
      RecordView record,
      @Nullable Object before,
      @Nullable Object after,
      @Nullable List<SourceField> fields) {
    if ((before != null && !(before instanceof Map))
        || (after != null && !(after instanceof Map))) {
      return new Parsed.Bad("unknown-record", "before or after is not an object");
    }
    boolean put = op != ChangeOp.DELETE && op != ChangeOp.TRUNCATE;
    if (put && after == null) {
      return new Parsed.Bad(
          "after-missing",
          code == null ? "a record has no row" : "an event of op " + code + " has no row after");
    }
    if (op == ChangeOp.DELETE && before == null) {
      return new Parsed.Bad(
          "key-missing",
          "a delete has no row before, so its key is unknown; the source table needs a key or a replica identity");
    }
    Map<String, @Nullable Object> old = before instanceof Map<?, ?> row ? textKeys(row) : null;
    Map<String, @Nullable Object> now = after instanceof Map<?, ?> row ? textKeys(row) : null;
    return new Parsed.Event(
        op,
        old == null ? null : rows.columns(old),
        now == null ? null : rows.columns(now),
        op == ChangeOp.UPDATE && now != null ? rows.movedFrom(now, record) : null,
        fields,
        layout.order().of(epoch(op, record), record),
        op == ChangeOp.UPDATE ? layout.values().absent() : Absent.EMPTY,
        time(record));
  }

  private @Nullable Instant time(RecordView record) {
    EventTime time = layout.time();
    return time == null ? null : time.of(record);
  }

  private int epoch(ChangeOp op, RecordView record) {
    boolean read =
        op == ChangeOp.SNAPSHOT_READ
            || (layout.op().snapshot() != null && layout.op().snapshot().holds(record));
    return read ? ChangeOrder.SNAPSHOT_EPOCH : ChangeOrder.STREAM_EPOCH;
  }

  private String title() {
    return layout.name().equals("debezium") ? "Debezium" : "the envelope " + layout.name();
  }

  private static List<Parsed> bad(String code, String reason) {
    return List.of(new Parsed.Bad(code, reason));
  }

  @SuppressWarnings("unchecked") // records have text keys only
  private static Map<String, @Nullable Object> textKeys(Map<?, ?> map) {
    return (Map<String, @Nullable Object>) map;
  }
}
