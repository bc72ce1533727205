package io.rowmark.index.reconcile;

import io.rowmark.index.scan.LazyResults;
import io.rowmark.index.scan.Place;
import java.util.ArrayDeque;
import java.util.Iterator;
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
    Drops drops = new Drops(shipped.value());
    KeyMerge merge = new KeyMerge(drops, shipped.value().key(), shipped.value().files());
    return new LazyResults<>(rows, merge::add, merge::finish, drops.places());
  }

  /**
   * Gathers what goes.
   *
   * @param places as they are given
   */
  private record Drops(MergePlan plan, ArrayDeque<Row> places) implements KeyMerge.Changes {
    Drops(MergePlan plan) {
      this(plan, new ArrayDeque<>());
    }

    @Override
    public void drop(Place entry) {
      places.add(RowFactory.create(plan.entryFiles().path(entry.file()), entry.position()));
    }

    @Override
    public void add(UnsafeRow key, Place place, @Nullable Long rowId, byte @Nullable [] order) {}

    @Override
    public void bury(UnsafeRow key, byte[] order) {}
  }
}
