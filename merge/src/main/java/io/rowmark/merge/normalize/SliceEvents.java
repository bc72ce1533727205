package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.merge.normalize.SliceSummary.FileCounts;
import io.rowmark.merge.normalize.SliceSummary.Point;
import io.rowmark.merge.record.Portion;
import io.rowmark.merge.record.RecordReader;
import io.rowmark.merge.record.RecordReaders;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.SourceRecord;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The events of some slices as rows, read lazily; the last row is a summary. Runs in a task, and on
 * the driver for the first look at a table that does not exist yet.
 */
final class SliceEvents implements Iterator<Row> {
  /** Records of an input that is divided between batches, which are not this one's. */
  private static final String OF_OTHER_BATCH = "other-batch";

  private final DecodePlan plan;
  private final Iterator<Part> parts;
  private final long limit;
  private final RecordReaders readers;
  private final EnvelopeReader envelope;
  private final MarkReader marks;
  private final ChangeDecoder decoder;

  private final Map<Integer, FileCounts> files = new HashMap<>();
  private final Map<ChangeOp, Long> ops = new EnumMap<>(ChangeOp.class);
  private final Map<String, Long> skipped = new HashMap<>();
  private byte @Nullable [] firstOrder;
  private byte @Nullable [] lastOrder;
  private @Nullable Point truncate;
  private long gaps;
  private long insertsWithGaps;

  private @Nullable Slice slice;
  private @Nullable RecordReader records;
  private final ArrayDeque<Row> ready = new ArrayDeque<>();
  private @Nullable Row next;
  private boolean summarized;
  private long read;

  /** A slice that is open. */
  record Part(Slice slice, RecordReader records) {}

  /**
   * @param limit records to read at the most, over all slices
   */
  SliceEvents(DecodePlan plan, List<Slice> slices, Configuration hadoop, long limit) {
    this(
        plan,
        readers -> slices.stream().map(slice -> new Part(slice, readers.open(slice))).iterator(),
        hadoop,
        limit);
  }

  /**
   * @param parts what to read, opened one after another
   * @param limit records to read at the most, over all parts
   */
  SliceEvents(
      DecodePlan plan,
      Function<RecordReaders, Iterator<Part>> parts,
      Configuration hadoop,
      long limit) {
    this.plan = plan;
    this.limit = limit;
    this.decoder = new ChangeDecoder(plan);
    FeedPlan feed = plan.feed();
    this.readers =
        new RecordReaders(feed.records(), feed.envelope().images(), feed.table().fields(), hadoop);
    this.parts = parts.apply(readers);
    this.envelope = new EnvelopeReader(feed.envelope(), feed.table(), plan.key());
    this.marks = new MarkReader(feed.envelope(), feed.table());
  }

  @Override
  public boolean hasNext() {
    if (next == null && !summarized) {
      next = advance();
    }
    return next != null;
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Row row = Objects.requireNonNull(next);
    next = null;
    return row;
  }

  /** Whether the limit ended it, so that there may be more records. */
  boolean isCut() {
    return read >= limit;
  }

  /** What was seen so far. */
  SliceSummary summary() {
    return new SliceSummary(
        new HashMap<>(files),
        new HashMap<>(ops),
        new HashMap<>(skipped),
        firstOrder,
        lastOrder,
        truncate,
        gaps,
        insertsWithGaps,
        decoder.seen().typed(),
        decoder.seen().inferred());
  }

  private Row advance() {
    while (ready.isEmpty() && read < limit && nextRecord()) {
      read++;
      events();
    }
    Row row = ready.poll();
    if (row != null) {
      return row;
    }
    closeRecords();
    summarized = true;
    return EventRows.summary(SerializationUtil.serializeToBytes(summary()));
  }

  private boolean nextRecord() {
    while (true) {
      if (records != null && records.next()) {
        return true;
      }
      closeRecords();
      if (!parts.hasNext()) {
        return false;
      }
      Part part = parts.next();
      slice = part.slice();
      records = part.records();
      files.putIfAbsent(slice.file(), new FileCounts(0, 0));
    }
  }

  private void events() {
    Slice at = Objects.requireNonNull(slice);
    RecordReader source = Objects.requireNonNull(records);
    SourceRecord record = readers.record(source);
    if (!(at.portion() instanceof Portion.Whole)
        && !at.portion().takes(marks.mark(record, at, source.place()))) {
      skipped.merge(OF_OTHER_BATCH, 1L, Long::sum);
      return;
    }
    for (Parsed parsed : envelope.read(record, at, source.place())) {
      if (parsed instanceof Parsed.Skip skip) {
        skipped.merge(skip.reason(), 1L, Long::sum);
      } else if (parsed instanceof Parsed.Former former) {
        former(former, at, source);
      } else if (parsed instanceof Parsed.Bad bad) {
        ready.add(reject(at, source, bad.code(), "", bad.reason()));
      } else {
        event((Parsed.Event) parsed, at, source);
      }
    }
  }

  private void event(Parsed.Event event, Slice at, RecordReader source) {
    try {
      Rows rows = change(event, at, source.place());
      rows.before().ifPresent(ready::add);
      rows.after().ifPresent(ready::add);
      count(at, event, source.place());
    } catch (RecordRejected rejected) {
      ready.add(reject(at, source, rejected.code(), rejected.column(), rejected.reason()));
    }
  }

  private void former(Parsed.Former former, Slice at, RecordReader source) {
    try {
      Parsed.Event event = former.removal();
      ready.add(removal(decoder.removed(event), event, at, source.place()));
      skipped.merge(former.reason(), 1L, Long::sum);
    } catch (RecordRejected rejected) {
      ready.add(reject(at, source, rejected.code(), rejected.column(), rejected.reason()));
    }
  }

  /** The removal and the put of one event, where it has them. */
  private record Rows(Optional<Row> before, Optional<Row> after) {}

  private Rows change(Parsed.Event event, Slice at, long place) {
    if (event.op() == ChangeOp.TRUNCATE) {
      return new Rows(Optional.empty(), Optional.empty());
    }
    if (event.op() == ChangeOp.DELETE) {
      requireKeyed("delete");
      return new Rows(
          Optional.of(removal(decoder.removed(event), event, at, place)), Optional.empty());
    }
    if (event.op() == ChangeOp.UPDATE) {
      requireKeyed("update");
    }
    RowDecoder.Decoded decoded = decoder.put(event);
    boolean inserts = event.op() == ChangeOp.INSERT || event.movedFrom() != null;
    Row put = row(inserts ? EventRows.INSERT : EventRows.UPDATE, decoded, event, at, place);
    Map<String, @Nullable Object> from = event.movedFrom();
    Optional<Row> before =
        from == null
            ? Optional.empty()
            : Optional.of(removal(decoder.movedFrom(from, decoded, event), event, at, place));
    if (!decoded.unavailable().isEmpty()) {
      gaps++;
      insertsWithGaps += inserts ? 1 : 0;
    }
    return new Rows(before, Optional.of(put));
  }

  private Row removal(RowDecoder.Decoded decoded, Parsed.Event event, Slice at, long place) {
    if (!decoded.unavailable().isEmpty()) {
      gaps++;
    }
    return row(decoder.removal(), decoded, event, at, place);
  }

  private Row row(byte op, RowDecoder.Decoded decoded, Parsed.Event event, Slice at, long place) {
    byte[] order = order(event, at, place);
    if (order == null && plan.mode() == TableSpec.Mode.HISTORY) {
      throw new RecordRejected(
          "order-missing", "", "the event has no order, and a history needs one to know repeats");
    }
    return EventRows.change(op, order, at.file(), place, decoded.unavailable(), decoded.values());
  }

  private void requireKeyed(String kind) {
    if (plan.mode() == TableSpec.Mode.APPEND_ONLY) {
      throw new RecordRejected(
          "not-append-only", "", "the table is append-only and the event is a " + kind);
    }
  }

  private void count(Slice at, Parsed.Event event, long place) {
    files.merge(at.file(), new FileCounts(1, 0), FileCounts::plus);
    ops.merge(event.op(), 1L, Long::sum);
    byte[] order = order(event, at, place);
    firstOrder = SliceSummary.lower(firstOrder, order);
    lastOrder = SliceSummary.higher(lastOrder, order);
    if (event.op() == ChangeOp.TRUNCATE) {
      truncate = Point.later(truncate, new Point(order, at.file(), place));
    }
  }

  /** The source's own order; else the topic offset, which orders the changes of one key. */
  private static byte @Nullable [] order(Parsed.Event event, Slice at, long place) {
    byte[] order = event.order();
    if (order != null || at.startOffset() < 0) {
      return order;
    }
    int epoch =
        event.op() == ChangeOp.SNAPSHOT_READ
            ? ChangeOrder.SNAPSHOT_EPOCH
            : ChangeOrder.STREAM_EPOCH;
    return ChangeOrder.encode(epoch, at.startOffset() + place - 1);
  }

  private Row reject(Slice at, RecordReader source, String code, String column, String reason) {
    files.merge(at.file(), new FileCounts(0, 1), FileCounts::plus);
    return EventRows.reject(
        new Reject(at.name(), source.place(), code, column, reason, null),
        at.file(),
        source.bytes());
  }

  private void closeRecords() {
    if (records != null) {
      try {
        records.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      records = null;
    }
  }
}
