package io.rowmark.index.write;

import io.rowmark.formats.key.KeySpec;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Writes one sorted run of index entries from one task attempt. The caller gives entries in
 * ascending key order and each key once; the writer does not sort.
 */
public final class IndexRunWriter implements Closeable {
  private final RollingDataWriter<InternalRow> writer;
  private final FileIO io;
  private final DataType[] keyTypes;
  private final @Nullable Object[] values;
  private final GenericInternalRow entry;

  /**
   * @param indexTable with the columns of {@link io.rowmark.formats.index.IndexLayout}
   * @param operationId part of every file name, unique for the batch attempt
   */
  public IndexRunWriter(Table indexTable, KeySpec key, TaskNumber task, String operationId) {
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(indexTable, task.partition(), task.attempt())
            .operationId(operationId)
            .format(FileFormat.PARQUET)
            .build();
    SparkRowWriters writers =
        new SparkRowWriters(indexTable, indexTable.schema(), indexTable.sortOrder(), outputs);
    this.writer = writers.rolling(PartitionSpec.unpartitioned(), null);
    this.io = indexTable.io();
    this.keyTypes =
        key.columns().stream()
            .map(column -> SparkSchemaUtil.convert(column.type()))
            .toArray(DataType[]::new);
    this.values = new Object[keyTypes.length + 4];
    this.entry = new GenericInternalRow(values);
  }

  /**
   * Adds an entry.
   *
   * @param keys row that holds the key values, valid until this call returns
   * @param ordinals where in {@code keys} the key columns are, in key order
   * @param dataFile null for a tombstone
   * @param rowId null when the row has the id that its file gives it, or there is none
   * @param changeOrder null when the source has no order or it is not kept
   */
  public void add(
      InternalRow keys,
      int[] ordinals,
      @Nullable UTF8String dataFile,
      @Nullable Long position,
      @Nullable Long rowId,
      byte @Nullable [] changeOrder) {
    int width = keyTypes.length;
    for (int i = 0; i < width; i++) {
      values[i] = keys.get(ordinals[i], keyTypes[i]);
    }
    values[width] = dataFile;
    values[width + 1] = position;
    values[width + 2] = rowId;
    values[width + 3] = changeOrder;
    writer.write(entry);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /** Closes and removes what was written, after a failure. Only files of this task attempt. */
  public void abort() throws IOException {
    writer.close();
    files().forEach(file -> io.deleteFile(file.location()));
  }

  /** The files written, after {@link #close}. */
  public List<DataFile> files() {
    return writer.result().dataFiles();
  }
}
