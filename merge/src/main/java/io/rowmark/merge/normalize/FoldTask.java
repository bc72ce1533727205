package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeFold;
import io.rowmark.formats.change.ChangeFold.Change;
import io.rowmark.formats.change.ChangeFold.Net;
import io.rowmark.formats.change.RowImages.CarryOvers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** Folds the sorted changes of a partition, group by group. */
final class FoldTask implements MapPartitionsFunction<Row, Row> {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> key;
  private final GapPolicy gaps;

  private final CarryOvers carryOvers;

  private final HashSet<String> kept;

  /**
   * @param kept columns that the table has for the rows it keeps
   */
  FoldTask(List<String> key, GapPolicy gaps, CarryOvers carryOvers, Set<String> kept) {
    this.key = new ArrayList<>(key);
    this.gaps = gaps;
    this.carryOvers = carryOvers;
    this.kept = new HashSet<>(kept);
  }

  @Override
  public Iterator<Row> call(Iterator<Row> sorted) {
    return new Folded(sorted);
  }

  /** Where the fields of the input rows are. */
  private static final class Fields {
    final int op;
    final int order;
    final int file;
    final int place;
    final int unavailable;
    final int row;
    final int group;
    final int movedFrom;

    Fields(Row sample) {
      this.op = sample.fieldIndex(EventRows.OP);
      this.order = sample.fieldIndex(EventRows.ORDER);
      this.file = sample.fieldIndex(EventRows.FILE);
      this.place = sample.fieldIndex(EventRows.PLACE);
      this.unavailable = sample.fieldIndex(EventRows.UNAVAILABLE);
      this.row = sample.fieldIndex(EventRows.ROW);
      this.group = sample.fieldIndex(NetChanges.GROUP);
      this.movedFrom = sample.fieldIndex(NetChanges.MOVED_FROM);
    }
  }

  private final class Folded implements Iterator<Row> {
    private final Iterator<Row> sorted;
    private final ChangeFold<List<Object>> fold = new ChangeFold<>();
    private final Map<List<Object>, Row> keyRows = new HashMap<>();
    private Iterator<Row> ready = List.<Row>of().iterator();
    private @Nullable Row ahead;
    private @Nullable Fields fields;

    Folded(Iterator<Row> sorted) {
      this.sorted = sorted;
      this.ahead = sorted.hasNext() ? sorted.next() : null;
    }

    @Override
    public boolean hasNext() {
      while (!ready.hasNext() && ahead != null) {
        ready = foldGroup();
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

    private Iterator<Row> foldGroup() {
      Row current = java.util.Objects.requireNonNull(ahead);
      Fields at = fields;
      if (at == null) {
        at = new Fields(current);
        fields = at;
      }
      List<Object> group = ComparableRow.of(current.getStruct(at.group));
      fold.clear();
      keyRows.clear();
      while (ahead != null && ComparableRow.of(ahead.getStruct(at.group)).equals(group)) {
        Row event = ahead;
        ahead = sorted.hasNext() ? sorted.next() : null;
        if (isCarryOver(event, ahead, at)) {
          ahead = sorted.hasNext() ? sorted.next() : null;
        } else if (event.getByte(at.op) == EventRows.FLAG) {
          fold.addKept(change(event, at));
        } else {
          fold.add(change(event, at));
        }
      }
      return results(at).iterator();
    }

    /** Whether the row was only copied: it is deleted, and inserted again as it was. */
    private boolean isCarryOver(Row event, @Nullable Row after, Fields at) {
      return carryOvers == CarryOvers.DROP
          && after != null
          && isRemoval(event.getByte(at.op))
          && after.getByte(at.op) == EventRows.INSERT
          && after.isNullAt(at.unavailable)
          && ofSource(event.getStruct(at.row)).equals(ofSource(after.getStruct(at.row)));
    }

    private static boolean isRemoval(byte op) {
      return op == EventRows.REMOVE || op == EventRows.FLAG;
    }

    private List<Object> ofSource(Row row) {
      List<Object> values = ComparableRow.of(row);
      kept.forEach(name -> values.set(row.fieldIndex(name), null));
      return values;
    }

    private Change<List<Object>> change(Row event, Fields at) {
      Row row = event.getStruct(at.row);
      Row keyRow = keyRow(row);
      List<Object> own = ComparableRow.of(keyRow);
      keyRows.put(own, keyRow);
      if (event.getByte(at.op) == EventRows.REMOVE) {
        return new Change<>(own, null, new BitSet(), null, event);
      }
      @Nullable Object[] values = new Object[row.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.get(i);
      }
      byte[] gaps = (byte[]) event.get(at.unavailable);
      BitSet unavailable = gaps == null ? new BitSet() : BitSet.valueOf(gaps);
      Row movedFrom = event.isNullAt(at.movedFrom) ? null : event.getStruct(at.movedFrom);
      List<Object> origin = null;
      if (movedFrom != null) {
        origin = ComparableRow.of(movedFrom);
        keyRows.put(origin, movedFrom);
      }
      return new Change<>(own, values, unavailable, origin, event);
    }

    private List<Row> results(Fields at) {
      Set<Object> unfillable = new HashSet<>(fold.unfillable());
      List<Row> results = new ArrayList<>();
      for (Net<List<Object>> net : fold.result()) {
        Row last = (Row) net.token();
        boolean removed = net.row() == null;
        String problem = null;
        if (gaps == GapPolicy.REFUSED && !last.isNullAt(at.unavailable)) {
          problem = Reject.UNAVAILABLE_WITHOUT_LOOKUP;
        } else if (unfillable.contains(last) || isLooseInsert(net, last, at)) {
          problem = Reject.UNAVAILABLE_WITHOUT_BASE;
        }
        results.add(
            RowFactory.create(
                removed ? EventRows.REMOVE : NetChanges.op(last.getByte(at.op)),
                last.get(at.order),
                last.get(at.file),
                last.get(at.place),
                net.unavailable().isEmpty() ? null : net.unavailable().toByteArray(),
                net.base() == null ? null : keyRows.get(net.base()),
                removed ? keyAlone(last.getStruct(at.row)) : RowFactory.create(net.row()),
                problem));
      }
      return results;
    }

    /** An insert with gaps whose first half is not in the batch has no row to be filled from. */
    private boolean isLooseInsert(Net<List<Object>> net, Row last, Fields at) {
      return !net.unavailable().isEmpty()
          && last.getByte(at.op) == EventRows.INSERT
          && last.isNullAt(at.movedFrom)
          && net.key().equals(net.base());
    }

    private Row keyAlone(Row row) {
      if (carryOvers == CarryOvers.KEEP) {
        return row;
      }
      Object[] values = new Object[row.size()];
      for (String name : key) {
        int at = row.fieldIndex(name);
        values[at] = row.get(at);
      }
      return RowFactory.create(values);
    }

    private Row keyRow(Row row) {
      Object[] values = new Object[key.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.get(row.fieldIndex(key.get(i)));
      }
      return RowFactory.create(values);
    }
  }
}
