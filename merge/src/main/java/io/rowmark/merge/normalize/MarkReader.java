package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayout.TransactionFields;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.OpRule;
import io.rowmark.formats.change.OpRule.Meaning;
import io.rowmark.formats.change.RecordView;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.record.TransactionMark;
import io.rowmark.merge.spec.TableFeed;
import org.jspecify.annotations.Nullable;

/** Tells of records which source transaction they are of. One per task. */
final class MarkReader {
  private final EnvelopeLayout layout;
  private final TableFeed table;
  private final Unwrapper unwrapper;

  MarkReader(EnvelopeLayout layout, TableFeed table) {
    this.layout = layout;
    this.table = table;
    this.unwrapper = new Unwrapper(layout);
  }

  /** Null for a record that is no change, or one of another table. */
  @Nullable TransactionMark mark(SourceRecord record, Slice slice, long place) {
    if (!(record instanceof SourceRecord.Fields fields)) {
      return null;
    }
    RecordView whole =
        new RecordView(fields.values(), fields.values(), slice.fileName(), slice.file(), place, 0);
    if (!(unwrapper.unwrap(whole) instanceof Unwrapped.Change change)
        || !isChange(change.record())) {
      return null;
    }
    return mark(change.record());
  }

  private boolean isChange(RecordView record) {
    OpRule rule = layout.op();
    Object code = rule.path() == null ? null : rule.path().in(record);
    if (code == null) {
      return rule.missing() != null
          && rule.controls().stream().noneMatch(control -> control.when().holds(record))
          && isOfTable(record);
    }
    return !(rule.codes().get(code.toString()) instanceof Meaning.Skip) && isOfTable(record);
  }

  private boolean isOfTable(RecordView record) {
    return table.sourceTable().isEmpty()
        || SourceTableName.isOf(SourceTableName.in(record, layout), table.sourceTable());
  }

  private TransactionMark mark(RecordView record) {
    TransactionFields fields = layout.transaction();
    Object id = in(fields.id(), record);
    Object number = in(fields.number(), record);
    boolean read = layout.op().snapshot() != null && layout.op().snapshot().holds(record);
    return new TransactionMark(
        id == null ? null : fields.shared(id.toString()),
        number == null ? 0 : number(number.toString()),
        layout.order().commit(read ? ChangeOrder.SNAPSHOT_EPOCH : ChangeOrder.STREAM_EPOCH, record),
        SourceTableName.in(record, layout));
  }

  private static @Nullable Object in(@Nullable FieldPath path, RecordView record) {
    return path == null ? null : path.in(record);
  }

  /** Some converters write numbers as text. */
  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
