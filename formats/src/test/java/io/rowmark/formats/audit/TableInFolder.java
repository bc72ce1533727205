package io.rowmark.formats.audit;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/** A table of (id, region) in a folder; its files are written by Iceberg's own writers. */
public final class TableInFolder {
  public static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "region", Types.StringType.get()));
  public static final PartitionSpec BY_REGION =
      PartitionSpec.builderFor(SCHEMA).identity("region").build();

  private final Table table;
  private final OutputFileFactory outputs;
  private final OutputFileFactory vectorOutputs;

  private TableInFolder(Table table) {
    this.table = table;
    this.outputs = OutputFileFactory.builderFor(table, 0, 0).format(FileFormat.PARQUET).build();
    this.vectorOutputs =
        OutputFileFactory.builderFor(table, 0, 1).format(FileFormat.PUFFIN).build();
  }

  public static TableInFolder create(Path folder, PartitionSpec spec, int formatVersion) {
    return new TableInFolder(
        new HadoopTables(new Configuration())
            .create(
                SCHEMA,
                spec,
                SortOrder.unsorted(),
                Map.of(
                    TableProperties.FORMAT_VERSION,
                    Integer.toString(formatVersion),
                    TableProperties.PARQUET_COMPRESSION,
                    "uncompressed",
                    // Without bounds scan planning leaves no equality delete out.
                    TableProperties.DEFAULT_WRITE_METRICS_MODE,
                    "none"),
                folder.toString()));
  }

  public Table table() {
    return table;
  }

  public TableAudit audit() {
    return TableAudit.of(table, table.currentSnapshot());
  }

  public void upgradeToV3() {
    table.updateProperties().set(TableProperties.FORMAT_VERSION, "3").commit();
  }

  /** The partition of a region under the current spec; null where that has none. */
  public StructLike region(String region) {
    PartitionSpec spec = table.spec();
    if (spec.isUnpartitioned()) {
      return null;
    }
    PartitionData partition = new PartitionData(spec.partitionType());
    partition.set(0, region);
    return partition;
  }

  public DataFile rows(String region, long... ids) throws IOException {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .build()
            .newDataWriter(
                outputs.newOutputFile(table.spec(), region(region)), table.spec(), region(region));
    try (writer) {
      for (long id : ids) {
        GenericRecord row = GenericRecord.create(table.schema());
        row.setField("id", id);
        row.setField("region", region);
        writer.write(row);
      }
    }
    return writer.toDataFile();
  }

  public DataFile append(String region, long... ids) throws IOException {
    DataFile file = rows(region, ids);
    table.newAppend().appendFile(file).commit();
    return file;
  }

  /** A file-scoped delete, as Rowmark writes it; takes in what was deleted before. */
  public FileDeletes delete(DataFile file, List<DeleteFile> before, long... positions)
      throws IOException {
    DeleteFormat format =
        DeleteFormat.positional(org.apache.iceberg.TableUtil.formatVersion(table));
    OutputFileFactory files = format == DeleteFormat.POSITION ? outputs : vectorOutputs;
    return new FileDeleteWriter(table, format, files).delete(new LiveFile(file, before), positions);
  }

  /** Position deletes of several files in one; a file may come once only. */
  public DeleteFile spanning(StructLike partition, PartitionSpec spec, Map<String, Long> positions)
      throws IOException {
    PositionDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .build()
            .newPositionDeleteWriter(outputs.newOutputFile(spec, partition), spec, partition);
    try (writer) {
      PositionDelete<Record> delete = PositionDelete.create();
      for (String path : positions.keySet().stream().sorted().toList()) {
        writer.write(delete.set(path, positions.get(path)));
      }
    }
    return writer.toDeleteFile();
  }

  public DeleteFile equality(StructLike partition, PartitionSpec spec, long... ids)
      throws IOException {
    Schema key = table.schema().select("id");
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {1})
            .equalityDeleteRowSchema(key)
            .build()
            .newEqualityDeleteWriter(outputs.newOutputFile(spec, partition), spec, partition);
    try (writer) {
      for (long id : ids) {
        GenericRecord row = GenericRecord.create(key);
        row.setField("id", id);
        writer.write(row);
      }
    }
    return writer.toDeleteFile();
  }

  /** A vector for any path, spec and partition, also wrong ones. */
  public DeleteFile vector(String path, PartitionSpec spec, StructLike partition, long... positions)
      throws IOException {
    BaseDVFileWriter writer = new BaseDVFileWriter(vectorOutputs, unused -> null);
    try (writer) {
      for (long position : positions) {
        writer.delete(path, position, spec, partition);
      }
    }
    return writer.result().deleteFiles().get(0);
  }

  public void commit(DeleteFile... deletes) {
    RowDelta delta = table.newRowDelta();
    for (DeleteFile delete : deletes) {
      delta.addDeletes(delete);
    }
    if (table.currentSnapshot() != null) {
      // Else the library refuses a second vector of a file.
      delta.validateFromSnapshot(table.currentSnapshot().snapshotId());
    }
    delta.commit();
  }

  public void commit(FileDeletes deletes) {
    RowDelta delta = table.newRowDelta();
    deletes.added().forEach(delta::addDeletes);
    deletes.replaced().forEach(delta::removeDeletes);
    delta.validateFromSnapshot(table.currentSnapshot().snapshotId()).commit();
  }
}
