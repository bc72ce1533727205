package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.RowImages.CarryOvers;
import io.rowmark.formats.change.SourceOrder;
import io.rowmark.merge.plan.TableShape;
import io.rowmark.merge.source.TableInput;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The typed events of one table's input.
 *
 * @param shape the columns the events were decoded for
 * @param events rejects among them
 * @param summary counts and extremes over all events
 * @param rejects records set aside, in arrival order; as many as the limit allows and a few more
 * @param notes what a person should know of types and columns
 * @param orderScope how far the orders of the events can be compared
 * @param carryOvers what a delete and an insert of the same row are
 */
public record NormalizedTable(
    TableInput input,
    TableShape shape,
    Events events,
    SliceSummary summary,
    List<Reject> rejects,
    List<String> notes,
    SourceOrder.Scope orderScope,
    CarryOvers carryOvers) {
  public NormalizedTable {
    rejects = List.copyOf(rejects);
    notes = List.copyOf(notes);
  }

  /** Events read, rejects not counted. */
  public long eventCount() {
    return summary.events();
  }

  public long rejectCount() {
    return summary.rejects();
  }

  /**
   * Whether the table does not exist and the input gives no reason to create it: it holds no event,
   * as one of control records only, and so nothing need be known of its columns.
   */
  public boolean isUnknown() {
    return shape.table() == null && eventCount() == 0;
  }

  /** Events by op. */
  public Map<ChangeOp, Long> ops() {
    return summary.ops();
  }

  /** Records that mean nothing for the table, by reason. */
  public Map<String, Long> skipped() {
    return summary.skipped();
  }

  /** Lowest order of an event; null if none has one. */
  public byte @Nullable [] firstOrder() {
    return summary.firstOrder();
  }

  /** Highest order of an event; null if none has one. */
  public byte @Nullable [] lastOrder() {
    return summary.lastOrder();
  }

  /** Whether any event leaves values out, which have to come from an earlier row. */
  public boolean hasGaps() {
    return summary.gaps() > 0;
  }

  /** Whether the input holds a truncate. */
  public boolean truncates() {
    return summary.truncate() != null;
  }

  /** Order of the last truncate; null if there is none, or it has none beyond its batch. */
  public byte @Nullable [] truncateOrder() {
    SliceSummary.Point point = summary.truncate();
    return point == null || orderScope == SourceOrder.Scope.BATCH ? null : point.order();
  }

  /** Events of one input file, by its rank in the input. */
  public long eventsOf(int file) {
    SliceSummary.FileCounts counts = summary.files().get(file);
    return counts == null ? 0 : counts.events();
  }

  /** Rejects of one input file, by its rank in the input. */
  public long rejectsOf(int file) {
    SliceSummary.FileCounts counts = summary.files().get(file);
    return counts == null ? 0 : counts.rejects();
  }

  /** Lets Spark forget the events. */
  public void release() {
    events.release();
  }
}
