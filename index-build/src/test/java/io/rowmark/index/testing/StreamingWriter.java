package io.rowmark.index.testing;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

/**
 * Commits rows and equality deletes to a branch, as Flink and Kafka Connect do: the deletes of a
 * commit apply to rows of earlier commits only.
 *
 * @param format of data and delete files
 */
public record StreamingWriter(Table table, String branch, FileFormat format) {

  /** One commit under construction. */
  public final class Commit {
    private final RowDelta delta = table.newRowDelta().toBranch(branch);

    private Commit() {}

    /** Adds rows, one file for each partition of the table's current spec. */
    public Commit rows(List<Map<String, @Nullable Object>> rows) throws IOException {
      writeRows(rows, delta::addRows);
      return this;
    }

    /** Deletes under the unpartitioned spec, which reach every older data file. */
    public Commit deleteGlobal(List<Map<String, @Nullable Object>> values) throws IOException {
      delete(values, PartitionSpec.unpartitioned(), null);
      return this;
    }

    /**
     * Deletes in the partition of the current spec that a row would have.
     *
     * @param row with values of all partition columns
     * @param values the columns to compare, and their values
     */
    public Commit deleteInPartition(
        Map<String, @Nullable Object> row, Map<String, @Nullable Object> values)
        throws IOException {
      PartitionKey partition = new PartitionKey(table.spec(), table.schema());
      partition.partition(record(row));
      delete(List.of(values), table.spec(), partition.copy());
      return this;
    }

    public void commit() {
      delta.commit();
    }

    private void delete(
        List<Map<String, @Nullable Object>> values,
        PartitionSpec spec,
        @Nullable StructLike partition)
        throws IOException {
      Schema columns = table.schema().select(values.get(0).keySet());
      EqualityDeleteWriter<Record> writer =
          new GenericFileWriterFactory.Builder(table)
              .deleteFileFormat(format)
              .equalityFieldIds(
                  columns.columns().stream().mapToInt(field -> field.fieldId()).toArray())
              .equalityDeleteRowSchema(columns)
              .build()
              .newEqualityDeleteWriter(output(spec, partition), spec, partition);
      try (writer) {
        for (Map<String, @Nullable Object> one : values) {
          writer.write(GenericRecord.create(columns).copy(one));
        }
      }
      delta.addDeletes(writer.toDeleteFile());
    }
  }

  public Commit begin() {
    table.refresh();
    return new Commit();
  }

  /** Writes data files of the table's current spec, and commits nothing. */
  public void writeRows(List<Map<String, @Nullable Object>> rows, Consumer<DataFile> files)
      throws IOException {
    Map<PartitionKey, DataWriter<Record>> writers = new LinkedHashMap<>();
    PartitionKey key = new PartitionKey(table.spec(), table.schema());
    GenericFileWriterFactory factory =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(table.schema())
            .build();
    for (Map<String, @Nullable Object> row : rows) {
      Record record = record(row);
      key.partition(record);
      DataWriter<Record> writer = writers.get(key);
      if (writer == null) {
        PartitionKey own = key.copy();
        writer = factory.newDataWriter(output(table.spec(), own), table.spec(), own);
        writers.put(own, writer);
      }
      writer.write(record);
    }
    for (DataWriter<Record> writer : writers.values()) {
      writer.close();
      files.accept(writer.toDataFile());
    }
  }

  private Record record(Map<String, @Nullable Object> row) {
    return GenericRecord.create(table.schema()).copy(row);
  }

  private EncryptedOutputFile output(PartitionSpec spec, @Nullable StructLike partition) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(format)
        .build()
        .newOutputFile(spec, partition);
  }
}
