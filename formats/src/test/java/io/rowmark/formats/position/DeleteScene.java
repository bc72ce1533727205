package io.rowmark.formats.position;

import io.rowmark.formats.delete.DeleteFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/** A real table on disk, whose rows are written, deleted and read back without an engine. */
final class DeleteScene {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.required(2, "region", Types.StringType.get()));
  static final PartitionSpec BY_REGION =
      PartitionSpec.builderFor(SCHEMA).identity("region").build();

  private final Table table;

  DeleteScene(Path folder, int formatVersion, PartitionSpec spec) {
    this.table =
        new HadoopTables(new Configuration())
            .create(
                SCHEMA,
                spec,
                Map.of(
                    TableProperties.FORMAT_VERSION,
                    Integer.toString(formatVersion),
                    // zstd, the default, comes with an engine
                    TableProperties.PARQUET_COMPRESSION,
                    "uncompressed"),
                folder.toUri().toString());
  }

  Table table() {
    return table;
  }

  /** Appends a data file with rows of these ids, in this order, and tells its path. */
  String append(String region, long... ids) throws IOException {
    GenericRecord row = GenericRecord.create(SCHEMA);
    row.setField("region", region);
    PartitionKey partition = new PartitionKey(table.spec(), SCHEMA);
    partition.partition(row);
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(SCHEMA)
            .build()
            .newDataWriter(
                outputs(FileFormat.PARQUET).newOutputFile(table.spec(), partition),
                table.spec(),
                partition);
    try (writer) {
      for (long id : ids) {
        row.setField("id", id);
        writer.write(row.copy());
      }
    }
    DataFile file = writer.toDataFile();
    table.newAppend().appendFile(file).commit();
    return file.location();
  }

  /** Position deletes as another writer leaves them: one file for one or several data files. */
  DeleteFile deleteElsewhere(List<Place> places) throws IOException {
    DataFile first = live(places.get(0).file()).file();
    PartitionSpec spec = table.specs().get(first.specId());
    PositionDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .build()
            .newPositionDeleteWriter(
                outputs(FileFormat.PARQUET).newOutputFile(spec, first.partition()),
                spec,
                first.partition());
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      places.stream()
          .sorted()
          .forEach(place -> writer.write(delete.set(place.file(), place.position())));
    }
    DeleteFile file = writer.toDeleteFile();
    table.newRowDelta().addDeletes(file).commit();
    return file;
  }

  /** A row's place. */
  record Place(String file, long position) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byFile = file.compareTo(other.file);
      return byFile != 0 ? byFile : Long.compare(position, other.position);
    }
  }

  /** What the writer under test makes of some deletes; nothing is committed. */
  FileDeletes write(String file, long... positions) {
    DeleteFormat format = DeleteFormat.positional(TableUtil.formatVersion(table));
    OutputFileFactory outputs =
        outputs(format == DeleteFormat.DELETION_VECTOR ? FileFormat.PUFFIN : FileFormat.PARQUET);
    try {
      return new FileDeleteWriter(table, format, outputs).delete(live(file), positions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes and commits, as a batch does. */
  FileDeletes delete(String file, long... positions) {
    FileDeletes deletes = write(file, positions);
    RowDelta delta = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    deletes.added().forEach(delta::addDeletes);
    deletes.replaced().forEach(delta::removeDeletes);
    if (deletes.fate() == FileDeletes.Fate.EMPTIED) {
      delta.removeRows(live(file).file());
    }
    delta.commit();
    return deletes;
  }

  LiveFile live(String file) {
    return LiveFiles.at(table, table.currentSnapshot()).require(file);
  }

  /** Ids that a reader sees, sorted. */
  List<Long> visible() throws IOException {
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      return ids(rows);
    }
  }

  /** Ids in the live data files, sorted, with every delete left out of account. */
  List<Long> stored() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (LiveFile live : LiveFiles.at(table, table.currentSnapshot()).all()) {
      try (CloseableIterable<Record> rows =
          FormatModelRegistry.<Record, Schema>readBuilder(
                  live.file().format(), Record.class, table.io().newInputFile(live.file()))
              .project(SCHEMA)
              .build()) {
        ids.addAll(ids(rows));
      }
    }
    return ids.stream().sorted().toList();
  }

  private static List<Long> ids(Iterable<Record> rows) {
    List<Long> ids = new ArrayList<>();
    rows.forEach(row -> ids.add((Long) row.getField("id")));
    return ids.stream().sorted().toList();
  }

  private OutputFileFactory outputs(FileFormat format) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(format)
        .build();
  }
}
