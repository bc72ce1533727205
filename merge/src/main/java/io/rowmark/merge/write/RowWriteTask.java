package io.rowmark.merge.write;

import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/** {@link RowWriting} of one partition; rows have its columns. */
final class RowWriteTask implements FlatMapFunction<Iterator<InternalRow>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<WritePlan> shipped;

  RowWriteTask(Broadcast<WritePlan> shipped) {
    this.shipped = shipped;
  }

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) throws IOException {
    if (!rows.hasNext()) {
      return List.<byte[]>of().iterator();
    }
    RowsWritten written = new RowWriting(shipped.value(), TaskNumber.current()).write(rows);
    return List.of(SerializationUtil.serializeToBytes(written)).iterator();
  }
}
