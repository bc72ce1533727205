package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.type.SourceType.SourceField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a task saw in its slices. Summaries of all tasks of a table add up to one.
 *
 * @param files events and rejects by file rank
 * @param ops events by op
 * @param skipped records left out, by reason
 * @param firstOrder lowest order; null when no event has one
 * @param lastOrder highest order
 * @param truncate the last truncate; null if there was none
 * @param gaps events with unavailable values
 * @param insertsWithGaps inserts with unavailable values, which only a change of key explains
 * @param typed columns as the events' own schemas describe them
 * @param inferred columns that events without schema have and the table does not hold
 */
record SliceSummary(
    Map<Integer, FileCounts> files,
    Map<ChangeOp, Long> ops,
    Map<String, Long> skipped,
    byte @Nullable [] firstOrder,
    byte @Nullable [] lastOrder,
    @Nullable Point truncate,
    long gaps,
    long insertsWithGaps,
    List<SourceField> typed,
    List<SourceField> inferred)
    implements Serializable {

  static final SliceSummary EMPTY =
      new SliceSummary(Map.of(), Map.of(), Map.of(), null, null, null, 0, 0, List.of(), List.of());

  /** Records of one file. */
  record FileCounts(long events, long rejects) implements Serializable {
    FileCounts plus(FileCounts other) {
      return new FileCounts(events + other.events, rejects + other.rejects);
    }
  }

  /**
   * A point in the order of a batch: order in the source, then arrival.
   *
   * @param order null when the source gives none
   */
  record Point(byte @Nullable [] order, int file, long place) implements Serializable {
    static Point later(@Nullable Point one, Point other) {
      if (one == null) {
        return other;
      }
      byte[] a = one.order;
      byte[] b = other.order;
      int byOrder = a == null || b == null ? 0 : ChangeOrder.COMPARATOR.compare(a, b);
      int byFile = byOrder != 0 ? byOrder : Integer.compare(one.file, other.file);
      return (byFile != 0 ? byFile : Long.compare(one.place, other.place)) >= 0 ? one : other;
    }
  }

  SliceSummary plus(SliceSummary other) {
    Map<Integer, FileCounts> bothFiles = new TreeMap<>(files);
    other.files.forEach((file, counts) -> bothFiles.merge(file, counts, FileCounts::plus));
    Map<ChangeOp, Long> bothOps = new TreeMap<>(ops);
    other.ops.forEach((op, count) -> bothOps.merge(op, count, Long::sum));
    Map<String, Long> bothSkipped = new TreeMap<>(skipped);
    other.skipped.forEach((reason, count) -> bothSkipped.merge(reason, count, Long::sum));
    List<SourceField> bothTyped = new ArrayList<>(typed);
    other.typed.stream().filter(field -> !typed.contains(field)).forEach(bothTyped::add);
    Point theirs = other.truncate;
    return new SliceSummary(
        new HashMap<>(bothFiles),
        new HashMap<>(bothOps),
        new HashMap<>(bothSkipped),
        lower(firstOrder, other.firstOrder),
        higher(lastOrder, other.lastOrder),
        theirs == null ? truncate : Point.later(truncate, theirs),
        gaps + other.gaps,
        insertsWithGaps + other.insertsWithGaps,
        new ArrayList<>(bothTyped),
        joined(inferred, other.inferred));
  }

  private static List<SourceField> joined(List<SourceField> one, List<SourceField> other) {
    Map<String, SourceField> fields = new LinkedHashMap<>();
    one.forEach(field -> fields.put(field.name(), field));
    for (SourceField field : other) {
      SourceField before = fields.get(field.name());
      SourceField joined =
          before == null
              ? field
              : new SourceField(
                  field.name(),
                  io.rowmark.formats.type.Inference.join(before.type(), field.type())
                      .orElse(before.type()),
                  field.presence(),
                  null);
      fields.put(field.name(), joined);
    }
    return new ArrayList<>(fields.values());
  }

  static byte @Nullable [] lower(byte @Nullable [] one, byte @Nullable [] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return ChangeOrder.COMPARATOR.compare(one, other) <= 0 ? one : other;
  }

  static byte @Nullable [] higher(byte @Nullable [] one, byte @Nullable [] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return ChangeOrder.COMPARATOR.compare(one, other) >= 0 ? one : other;
  }

  long events() {
    return files.values().stream().mapToLong(FileCounts::events).sum();
  }

  long rejects() {
    return files.values().stream().mapToLong(FileCounts::rejects).sum();
  }
}
