package io.rowmark.index.build;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.write.IndexRunWriter;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Writes one key range of an index. Gives back one {@link TaskOutput} as bytes, so that Spark's
 * serializer for results, whichever is configured, has nothing to do with data files.
 */
final class BuildTask implements FlatMapFunction<Iterator<InternalRow>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<Table> index;
  private final Broadcast<FileNumbers> files;
  private final KeySpec key;
  private final String operationId;

  BuildTask(Broadcast<Table> index, Broadcast<FileNumbers> files, KeySpec key, String operationId) {
    this.index = index;
    this.files = files;
    this.key = key;
    this.operationId = operationId;
  }

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) throws IOException {
    TaskOutput output = rows.hasNext() ? write(rows) : TaskOutput.NOTHING;
    return List.of(SerializationUtil.serializeToBytes(output)).iterator();
  }

  private TaskOutput write(Iterator<InternalRow> rows) throws IOException {
    IndexRunWriter writer =
        new IndexRunWriter(index.value(), key, TaskNumber.current(), operationId);
    try {
      EntryMerge merge = new EntryMerge(writer, key, files.value());
      while (rows.hasNext()) {
        merge.add(rows.next());
      }
      merge.finish();
      writer.close();
      return merge.output(writer.files());
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
}
