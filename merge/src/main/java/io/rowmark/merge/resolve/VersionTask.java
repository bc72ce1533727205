package io.rowmark.merge.resolve;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.VersionFold;
import io.rowmark.formats.change.VersionFold.Ended;
import io.rowmark.formats.change.VersionFold.Origin;
import io.rowmark.formats.change.VersionFold.Version;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.merge.normalize.ComparableRow;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.normalize.Reject;
import io.rowmark.merge.resolve.ResolvedRows.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/**
 * Folds the sorted changes of a partition, key by key, on top of the version that is open. Of each
 * key it gives the versions that ended ({@link NetChanges#PAST}) and one last row, which carries
 * the new entry of the index and the places of what it replaces: the open version, or a removal.
 *
 * <p>The order that the index remembers of a key is the source's, followed by the time at which the
 * change took effect. A change that comes again is never greater than that.
 */
final class VersionTask implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;

  /** Columns of the input besides those of events. */
  static final String KEY = "version_key";

  static final String RANK = "version_rank";

  /** Values of {@link #RANK}: what the index has of a key comes before its changes. */
  static final int STORED = 0;

  static final int CHANGE = 1;

  private final String table;
  private final VersionColumns names;

  VersionTask(String table, VersionColumns names) {
    this.table = table;
    this.names = names;
  }

  @Override
  public Iterator<Row> call(Iterator<Row> sorted) {
    return new Groups(sorted);
  }

  /** The results of one key after another. */
  private final class Groups implements Iterator<Row> {
    private final Iterator<Row> sorted;
    private Iterator<Row> ready = List.<Row>of().iterator();
    private @Nullable Row ahead;

    Groups(Iterator<Row> sorted) {
      this.sorted = sorted;
      this.ahead = sorted.hasNext() ? sorted.next() : null;
    }

    @Override
    public boolean hasNext() {
      while (!ready.hasNext() && ahead != null) {
        ready = new KeyVersions(group(ahead)).rows().iterator();
      }
      return ready.hasNext();
    }

    @Override
    public Row next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.next();
    }

    private List<Row> group(Row first) {
      List<Object> key = ComparableRow.of(first.getAs(KEY));
      List<Row> group = new ArrayList<>();
      Row next = first;
      while (next != null && ComparableRow.of(next.getAs(KEY)).equals(key)) {
        group.add(next);
        next = sorted.hasNext() ? sorted.next() : null;
      }
      ahead = next;
      return group;
    }
  }

  /** The versions of one key. */
  private final class KeyVersions {
    private final List<Row> results = new ArrayList<>();
    private final List<Row> changes = new ArrayList<>();
    private final @Nullable Row place;
    private final byte @Nullable [] remembered;
    private final VersionFold fold;
    private final VersionFields columns;

    KeyVersions(List<Row> group) {
      Row stored = null;
      for (Row row : group) {
        if (row.<Integer>getAs(RANK) == CHANGE) {
          changes.add(row);
        } else if (stored == null) {
          stored = row;
        } else {
          throw RowmarkException.tableState(
              "The index of table %s has two entries for one key. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build'."
                  .formatted(table));
        }
      }
      this.columns = new VersionFields(names, changes.get(0).getAs(EventRows.ROW));
      this.place = stored == null ? null : stored.getAs(ResolvedRows.FOUND);
      this.remembered = place == null ? null : place.getAs(ResolvedRows.APPLIED_ORDER);
      Row old = stored == null ? null : stored.getAs(EventRows.ROW);
      if (old == null && place != null && place.getAs(ResolvedRows.DATA_FILE) != null) {
        throw RowmarkException.tableState(
            "The index of table %s names a row that is not there. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build'."
                .formatted(table));
      }
      this.fold =
          new VersionFold(
              old == null ? null : new Version(values(old), columns.from(old), Origin.STORED),
              remembered == null ? VersionFold.NEVER : timeOf(remembered));
    }

    List<Row> rows() {
      Row last = null;
      for (int i = 0; i < changes.size(); i++) {
        Row change = changes.get(i);
        byte[] order = change.getAs(EventRows.ORDER);
        boolean repeated =
            i + 1 < changes.size()
                && Arrays.equals(order, changes.get(i + 1).getAs(EventRows.ORDER));
        if (repeated || isApplied(order, columns.time(change))) {
          results.add(leftOut(change, State.STALE, null));
        } else if (take(change)) {
          last = change;
        } else {
          results.add(leftOut(change, State.PROBLEM, Reject.UNAVAILABLE_WITHOUT_BASE));
        }
      }
      if (last != null) {
        fold.ended().forEach(ended -> results.add(past(ended)));
        results.add(last(last));
      }
      return results;
    }

    private boolean isApplied(byte[] order, long time) {
      return remembered != null
          && ChangeOrder.COMPARATOR.compare(withTime(order, time), remembered) <= 0;
    }

    private boolean take(Row change) {
      byte op = change.getAs(EventRows.OP);
      if (op == EventRows.REMOVE) {
        fold.remove(columns.time(change));
        return true;
      }
      byte[] gaps = change.getAs(EventRows.UNAVAILABLE);
      // the row from which a second half of a change of key takes its values is of another key
      if (gaps != null && op == EventRows.INSERT) {
        return false;
      }
      return fold.put(
          values(change.getAs(EventRows.ROW)),
          gaps == null ? new BitSet() : BitSet.valueOf(gaps),
          columns.time(change));
    }

    private Row leftOut(Row change, State state, @Nullable String problem) {
      return RowFactory.create(
          change.getAs(EventRows.OP),
          change.getAs(EventRows.ORDER),
          change.getAs(EventRows.FILE),
          change.getAs(EventRows.PLACE),
          null,
          null,
          null,
          problem,
          null,
          null,
          state.name());
    }

    private Row past(Ended ended) {
      return RowFactory.create(
          NetChanges.PAST,
          null,
          null,
          null,
          null,
          null,
          columns.row(ended.version(), ended.to()),
          null,
          null,
          ended.version().origin() == Origin.STORED ? place : null,
          State.ABSENT.name());
    }

    private Row last(Row change) {
      Version open = fold.open();
      boolean live = place != null && place.getAs(ResolvedRows.DATA_FILE) != null;
      State state = live ? State.LIVE : place == null ? State.ABSENT : State.TOMBSTONE;
      return RowFactory.create(
          open == null ? EventRows.REMOVE : NetChanges.PUT,
          withTime(change.getAs(EventRows.ORDER), fold.last()),
          change.getAs(EventRows.FILE),
          change.getAs(EventRows.PLACE),
          null,
          null,
          open == null ? change.getAs(EventRows.ROW) : columns.row(open, null),
          null,
          place,
          open != null && open.origin() == Origin.STORED ? place : null,
          state.name());
    }
  }

  private static @Nullable Object[] values(Row row) {
    @Nullable Object[] values = new Object[row.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.get(i);
    }
    return values;
  }

  private static byte[] withTime(byte[] order, long time) {
    return ByteBuffer.allocate(order.length + Long.BYTES)
        .put(order)
        .putLong(time ^ Long.MIN_VALUE)
        .array();
  }

  private static long timeOf(byte[] remembered) {
    return ByteBuffer.wrap(remembered).getLong(remembered.length - Long.BYTES) ^ Long.MIN_VALUE;
  }
}
