package io.rowmark.index.write;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.FileWriter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The open writers of a task, one per partition. Rows come in key order, so a task sees its
 * partitions in any order; above a limit the writer that was unused for longest is closed, at the
 * price of one more file.
 *
 * @param <W> writer of one partition
 * @param <R> what a closed writer says of its files
 */
public final class PartitionWriters<W extends FileWriter<InternalRow, R>, R> implements Closeable {
  private static final int MOST_OPEN = 100;

  /** Opens a writer. */
  @FunctionalInterface
  public interface Opening<W> {
    /**
     * @param partition null where there are no partitions
     */
    W open(@Nullable StructLike partition);
  }

  private final Opening<W> opening;
  private final PartitionSpec spec;
  private final PartitionKey partition;
  private final RowStruct struct;
  private final Map<PartitionKey, W> open = new LinkedHashMap<>(16, 0.75f, true);
  private final List<R> finished = new ArrayList<>();
  private @Nullable W single;

  /**
   * @param schema columns of the rows that say which partition is theirs
   */
  public PartitionWriters(Opening<W> opening, PartitionSpec spec, Schema schema) {
    this.opening = opening;
    this.spec = spec;
    this.partition = new PartitionKey(spec, schema);
    this.struct = new RowStruct(schema);
  }

  /** The writer of the partition that a row belongs to. */
  public W of(InternalRow row) throws IOException {
    if (spec.isUnpartitioned()) {
      W only = single;
      if (only == null) {
        only = opening.open(null);
        single = only;
      }
      return only;
    }
    partition.partition(struct.wrap(row));
    W writer = open.get(partition);
    if (writer == null) {
      closeLongestUnused();
      PartitionKey copy = partition.copy();
      writer = opening.open(copy);
      open.put(copy, writer);
    }
    return writer;
  }

  private void closeLongestUnused() throws IOException {
    if (open.size() >= MOST_OPEN) {
      Iterator<W> eldest = open.values().iterator();
      finish(eldest.next());
      eldest.remove();
    }
  }

  private void finish(W writer) throws IOException {
    writer.close();
    finished.add(writer.result());
  }

  @Override
  public void close() throws IOException {
    for (W writer : open.values()) {
      finish(writer);
    }
    open.clear();
    W only = single;
    if (only != null) {
      finish(only);
      single = null;
    }
  }

  /** What the writers wrote, after {@link #close}. */
  public List<R> results() {
    return finished;
  }
}
