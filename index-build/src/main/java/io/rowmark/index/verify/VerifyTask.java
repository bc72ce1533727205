package io.rowmark.index.verify;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/** Compares rows and entries of the keys of one task; gives one {@link VerifyOutput} as bytes. */
final class VerifyTask implements FlatMapFunction<Iterator<InternalRow>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileNumbers> files;
  private final KeySpec key;

  VerifyTask(Broadcast<FileNumbers> files, KeySpec key) {
    this.files = files;
    this.key = key;
  }

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) {
    KeyComparison comparison = new KeyComparison(key, files.value());
    while (rows.hasNext()) {
      comparison.add(rows.next());
    }
    comparison.finish();
    return List.of(SerializationUtil.serializeToBytes(comparison.output())).iterator();
  }
}
