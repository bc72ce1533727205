package io.rowmark.index.write;

import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;

/**
 * Writes deletes file by file: input rows are (file, position), sorted, a file in one partition.
 */
public final class DeleteWriteTask implements MapPartitionsFunction<Row, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<DeletePlan> shipped;

  public DeleteWriteTask(Broadcast<DeletePlan> shipped) {
    this.shipped = shipped;
  }

  @Override
  public Iterator<byte[]> call(Iterator<Row> places) {
    if (!places.hasNext()) {
      return List.<byte[]>of().iterator();
    }
    DeletePlan plan = shipped.value();
    FileDeleteWriter writer = plan.writer(TaskNumber.current());
    List<byte[]> results = new ArrayList<>();
    String file = null;
    LongStream.Builder positions = LongStream.builder();
    while (places.hasNext()) {
      Row place = places.next();
      String next = place.getString(0);
      if (file != null && !file.equals(next)) {
        results.add(write(writer, plan, file, positions));
        positions = LongStream.builder();
      }
      file = next;
      positions.add(place.getLong(1));
    }
    results.add(write(writer, plan, Objects.requireNonNull(file), positions));
    return results.iterator();
  }

  private static byte[] write(
      FileDeleteWriter writer, DeletePlan plan, String path, LongStream.Builder positions) {
    LiveFile live = Objects.requireNonNull(plan.files().get(path));
    try {
      FileDeletes deletes = writer.delete(live, positions.build().toArray());
      return SerializationUtil.serializeToBytes(deletes);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write deletes for data file " + path, e);
    }
  }
}
