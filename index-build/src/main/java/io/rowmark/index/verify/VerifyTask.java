package io.rowmark.index.verify;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.verify.KeyComparison.UnknownFile;
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
  private final UnknownFile unknownFile;

  VerifyTask(Broadcast<FileNumbers> files, KeySpec key, UnknownFile unknownFile) {
    this.files = files;
    this.key = key;
    this.unknownFile = unknownFile;
  }

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) {
    KeyComparison comparison = new KeyComparison(key, files.value(), unknownFile);
    while (rows.hasNext()) {
      comparison.add(rows.next());
    }
    comparison.finish();
    return List.of(SerializationUtil.serializeToBytes(comparison.output())).iterator();
  }
}
