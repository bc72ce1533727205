package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.SourcePlace.Changes;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** Which snapshots of a source table are still to be read, by their ancestry and never by time. */
final class SourceHistory {
  private final Table source;
  private final TableSpec target;
  private final Changes changes;

  SourceHistory(Table source, TableSpec target, Changes changes) {
    this.source = source;
    this.target = target;
    this.changes = changes;
  }

  /** What leads from what was read to a snapshot. */
  sealed interface Step {
    /** The snapshot up to which the source is read afterwards. */
    Snapshot to();

    /** Nothing was read: the whole table as it is. */
    record Whole(Snapshot to) implements Step {}

    /** The snapshot's own changes. */
    record Next(Snapshot to) implements Step {}

    /** All that tells two snapshots apart, of which neither is the ancestor of the other. */
    record Across(Snapshot from, Snapshot to) implements Step {}
  }

  /**
   * The steps to the current snapshot, in order.
   *
   * @param last snapshot up to which the source was read; null for none
   * @throws RowmarkException SOURCE when snapshots are gone that were not read
   */
  List<Step> unread(@Nullable Long last) {
    Snapshot head = source.currentSnapshot();
    Long start = target.feed().startSnapshot();
    if (head == null || Objects.equals(last, head.snapshotId())) {
      return List.of();
    }
    if (last == null && start == null) {
      return List.of(new Step.Whole(head));
    }
    Deque<Step> steps = new ArrayDeque<>();
    Snapshot at = head;
    while (at != null) {
      if (Objects.equals(start, at.snapshotId())) {
        return List.copyOf(steps);
      }
      steps.addFirst(new Step.Next(at));
      Long parent = at.parentId();
      if (parent != null && (parent.equals(last) || parent.equals(start))) {
        return List.copyOf(steps);
      }
      at = parent == null ? null : source.snapshot(parent);
    }
    return List.of(across(last, start, head));
  }

  private Step across(@Nullable Long last, @Nullable Long start, Snapshot head) {
    Long base = last == null ? start : last;
    Snapshot from = base == null ? null : source.snapshot(base);
    if (from == null) {
      throw RowmarkException.source(
          ("Snapshot %d of source table %s, %s, is not in the table's history any more:"
                  + " snapshots were expired before all changes after it were read, or the table was"
                  + " replaced. Keep snapshots for longer than the time between two runs"
                  + " (history.expire.max-snapshot-age-ms of the source). To go on, feed an empty"
                  + " table under another name of pipeline and ledger; or, if what lies between may"
                  + " be missing, set start-snapshot of table %s to a snapshot that is there.")
              .formatted(
                  base,
                  target.topic(),
                  last == null
                      ? "which start-snapshot of table " + target.table() + " names"
                      : "up to which table " + target.table() + " was fed",
                  target.table()));
    }
    if (changes == Changes.ROWS) {
      throw RowmarkException.source(
          ("Source table %s was rolled back or set to another snapshot: %d, up to which table %s was"
                  + " fed, is no ancestor of its current snapshot %d. Rows of a changelog that are"
                  + " taken back cannot be undone. Set the source to a descendant of that snapshot,"
                  + " or feed an empty table under another name of pipeline and ledger.")
              .formatted(target.topic(), from.snapshotId(), target.table(), head.snapshotId()));
    }
    return new Step.Across(from, head);
  }
}
