package io.rowmark.index.reconcile;

import io.rowmark.index.scan.Place;
import io.rowmark.index.write.IndexRunWriter;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Writes new entries of one key range; gives one {@link MergeOutput} as bytes. */
final class RunTask implements FlatMapFunction<Iterator<InternalRow>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<MergePlan> shipped;

  RunTask(Broadcast<MergePlan> shipped) {
    this.shipped = shipped;
  }

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) throws IOException {
    MergeOutput output = rows.hasNext() ? write(rows) : MergeOutput.NOTHING;
    return List.of(SerializationUtil.serializeToBytes(output)).iterator();
  }

  private MergeOutput write(Iterator<InternalRow> rows) throws IOException {
    MergePlan plan = shipped.value();
    IndexRunWriter writer =
        new IndexRunWriter(plan.index(), plan.key(), TaskNumber.current(), plan.operationId());
    try {
      Run run = new Run(writer, plan);
      KeyMerge merge = new KeyMerge(run, plan.key(), plan.files());
      while (rows.hasNext()) {
        merge.add(rows.next());
      }
      merge.finish();
      writer.close();
      return new MergeOutput(
          writer.files(), run.dropped, run.added, run.tombstones, merge.problems());
    } catch (IOException | RuntimeException e) {
      abort(writer, e);
      throw e;
    }
  }

  private static void abort(IndexRunWriter writer, Exception cause) {
    try {
      writer.abort();
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** Writes what is added and counts what is dropped. */
  private static final class Run implements KeyMerge.Changes {
    private final IndexRunWriter writer;
    private final MergePlan plan;
    private final int[] ordinals;
    private int pathFile = -1;
    private @Nullable UTF8String path;
    private long dropped;
    private long added;
    private long tombstones;

    Run(IndexRunWriter writer, MergePlan plan) {
      this.writer = writer;
      this.plan = plan;
      this.ordinals = IntStream.range(0, plan.key().columns().size()).toArray();
    }

    @Override
    public void drop(Place entry) {
      dropped++;
    }

    @Override
    public void add(UnsafeRow key, Place place, @Nullable Long rowId, byte @Nullable [] order) {
      if (place.file() != pathFile) {
        pathFile = place.file();
        path = UTF8String.fromString(plan.files().path(pathFile));
      }
      writer.add(key, ordinals, path, place.position(), rowId, order);
      added++;
    }

    @Override
    public void bury(UnsafeRow key, byte[] order) {
      writer.add(key, ordinals, null, null, null, order);
      tombstones++;
    }
  }
}
