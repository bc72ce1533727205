package io.rowmark.merge.write;

import io.rowmark.index.write.RowStruct;
import io.rowmark.index.write.SparkRowWriters;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The open writers of a task, one per partition. Rows come in key order, so a task sees its
 * partitions in any order; above a limit the writer that was unused for longest is closed, at the
 * price of one more file.
 */
final class PartitionWriters implements Closeable {
  private static final int MOST_OPEN = 100;

  private final SparkRowWriters writers;
  private final PartitionSpec spec;
  private final PartitionKey partition;
  private final RowStruct struct;
  private final Map<PartitionKey, RollingDataWriter<InternalRow>> open =
      new LinkedHashMap<>(16, 0.75f, true);
  private final List<DataFile> finished = new ArrayList<>();
  private @Nullable RollingDataWriter<InternalRow> single;

  PartitionWriters(SparkRowWriters writers, PartitionSpec spec, Schema schema) {
    this.writers = writers;
    this.spec = spec;
    this.partition = new PartitionKey(spec, schema);
    this.struct = new RowStruct(schema);
  }

  /** The writer of the partition that a row belongs to. */
  RollingDataWriter<InternalRow> of(InternalRow row) throws IOException {
    if (spec.isUnpartitioned()) {
      RollingDataWriter<InternalRow> only = single;
      if (only == null) {
        only = writers.rolling(spec, null);
        single = only;
      }
      return only;
    }
    partition.partition(struct.wrap(row));
    RollingDataWriter<InternalRow> writer = open.get(partition);
    if (writer == null) {
      closeLongestUnused();
      PartitionKey copy = partition.copy();
      writer = writers.rolling(spec, (StructLike) copy);
      open.put(copy, writer);
    }
    return writer;
  }

  private void closeLongestUnused() throws IOException {
    if (open.size() >= MOST_OPEN) {
      Iterator<RollingDataWriter<InternalRow>> eldest = open.values().iterator();
      finish(eldest.next());
      eldest.remove();
    }
  }

  private void finish(RollingDataWriter<InternalRow> writer) throws IOException {
    writer.close();
    finished.addAll(writer.result().dataFiles());
  }

  @Override
  public void close() throws IOException {
    for (RollingDataWriter<InternalRow> writer : open.values()) {
      finish(writer);
    }
    open.clear();
    if (single != null) {
      finish(single);
      single = null;
    }
  }

  /** The files written, after {@link #close}. */
  List<DataFile> files() {
    return finished;
  }
}
