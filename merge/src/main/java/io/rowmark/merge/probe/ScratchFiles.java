package io.rowmark.merge.probe;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;

/** Writes small real files of a scratch table, and reads the table back. */
final class ScratchFiles {
  private ScratchFiles() {}

  /** A data file with one row for each id; not committed. */
  static DataFile data(Table table, long... ids) throws IOException {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build()
            .newDataWriter(outputs(table, FileFormat.PARQUET).newOutputFile(), table.spec(), null);
    try (writer) {
      for (long id : ids) {
        writer.write(row(table, id));
      }
    }
    return writer.toDataFile();
  }

  /** A delete file that hides the first row of a live data file, whose id is given. */
  static DeleteFile delete(Table table, DeleteFormat format, String dataFile, long id)
      throws IOException {
    return switch (format) {
      case EQUALITY -> equality(table, id);
      case POSITION -> positional(table, format, FileFormat.PARQUET, dataFile);
      case DELETION_VECTOR -> positional(table, format, FileFormat.PUFFIN, dataFile);
    };
  }

  private static DeleteFile positional(
      Table table, DeleteFormat format, FileFormat file, String dataFile) throws IOException {
    return new FileDeleteWriter(table, format, outputs(table, file))
        .delete(live(table, dataFile), new long[] {0})
        .added()
        .get(0);
  }

  private static DeleteFile equality(Table table, long id) throws IOException {
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {table.schema().findField("id").fieldId()})
            .equalityDeleteRowSchema(table.schema())
            .build()
            .newEqualityDeleteWriter(
                outputs(table, FileFormat.PARQUET).newOutputFile(), table.spec(), null);
    try (writer) {
      writer.write(row(table, id));
    }
    return writer.toDeleteFile();
  }

  static LiveFile live(Table table, String dataFile) {
    return LiveFiles.at(table, table.currentSnapshot()).require(dataFile);
  }

  /** Paths of the live data files. Not snapshots: a lost update leaves its snapshot behind. */
  static Set<String> livePaths(Table table) {
    return LiveFiles.at(table, table.currentSnapshot()).all().stream()
        .map(LiveFile::path)
        .collect(Collectors.toSet());
  }

  /** Ids that a reader sees, sorted. */
  static List<Long> ids(Table table) throws IOException {
    List<Long> ids = new ArrayList<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      rows.forEach(row -> ids.add((Long) row.getField("id")));
    }
    Collections.sort(ids);
    return ids;
  }

  private static Record row(Table table, long id) {
    GenericRecord row = GenericRecord.create(table.schema());
    row.setField("id", id);
    row.setField("note", "written by a catalog probe");
    return row;
  }

  private static OutputFileFactory outputs(Table table, FileFormat format) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(format)
        .build();
  }
}
