package io.rowmark.index.reconcile;

import io.rowmark.index.scan.Place;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/** Gives the places, in the index, of the entries that go: rows of (file, position). */
final class DropTask implements FlatMapFunction<Iterator<InternalRow>, Row> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<MergePlan> shipped;

  DropTask(Broadcast<MergePlan> shipped) {
    this.shipped = shipped;
  }

  @Override
  public Iterator<Row> call(Iterator<InternalRow> rows) {
    return new Drops(rows, shipped.value());
  }

  /** Runs the merge only as far as places are asked for. */
  private static final class Drops implements Iterator<Row>, KeyMerge.Changes {
    private final Iterator<InternalRow> rows;
    private final MergePlan plan;
    private final KeyMerge merge;
    private final ArrayDeque<Place> dropped = new ArrayDeque<>();
    private boolean finished;

    Drops(Iterator<InternalRow> rows, MergePlan plan) {
      this.rows = rows;
      this.plan = plan;
      this.merge = new KeyMerge(this, plan.key(), plan.files());
    }

    @Override
    public boolean hasNext() {
      while (dropped.isEmpty() && !finished) {
        if (rows.hasNext()) {
          merge.add(rows.next());
        } else {
          merge.finish();
          finished = true;
        }
      }
      return !dropped.isEmpty();
    }

    @Override
    public Row next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Place entry = dropped.remove();
      return RowFactory.create(plan.entryFiles().path(entry.file()), entry.position());
    }

    @Override
    public void drop(Place entry) {
      dropped.add(entry);
    }

    @Override
    public void add(UnsafeRow key, Place place, @Nullable Long rowId, byte @Nullable [] order) {}

    @Override
    public void bury(UnsafeRow key, byte[] order) {}
  }
}
