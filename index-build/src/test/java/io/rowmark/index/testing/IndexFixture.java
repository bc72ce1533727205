package io.rowmark.index.testing;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeleteWriter;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** A data table, the name of its index, and ways to change both behind Rowmark's back. */
public final class IndexFixture {
  private final SparkSession spark;
  private final IndexedTable names;

  public IndexFixture(SparkSession spark, LocalCatalog catalog, String table, String... key) {
    this.spark = spark;
    this.names =
        new IndexedTable(
            catalog.iceberg(),
            catalog.name(),
            TableIdentifier.of("shop", table),
            TableIdentifier.of("shop", table + "__rowmark_index"),
            List.of(key));
  }

  public IndexedTable names() {
    return names;
  }

  /** Runs SQL in which {@code $t} stands for the data table and {@code $i} for its index. */
  public List<Row> sql(String text) {
    return spark
        .sql(text.replace("$t", names.sparkData()).replace("$i", names.sparkIndex()))
        .collectAsList();
  }

  /** The only value of a query of one row and column. */
  public Object value(String text) {
    return sql(text).get(0).get(0);
  }

  public Table data() {
    return names.catalog().loadTable(names.data());
  }

  public Table index() {
    return IndexTables.find(names.catalog(), names.index()).orElseThrow();
  }

  /** Hides one row by its place, as a merge-on-read engine does. */
  public static void deletePosition(Table table, String dataFile, long position)
      throws IOException {
    FileDeleteWriter writer =
        new FileDeleteWriter(
            table, DeleteFormat.positional(TableUtil.formatVersion(table)), outputs(table));
    FileDeletes deletes =
        writer.delete(
            LiveFiles.at(table, table.currentSnapshot()).require(dataFile), new long[] {position});
    RowDelta delta = table.newRowDelta();
    deletes.added().forEach(delta::addDeletes);
    deletes.replaced().forEach(delta::removeDeletes);
    if (deletes.fate() == FileDeletes.Fate.EMPTIED) {
      delta.removeRows(LiveFiles.at(table, table.currentSnapshot()).require(dataFile).file());
    }
    delta.validateFromSnapshot(table.currentSnapshot().snapshotId()).commit();
  }

  /** Hides rows by their values, as a streaming writer does. The table must be unpartitioned. */
  public static void deleteEqual(Table table, Map<String, Object> values) throws IOException {
    Schema columns = table.schema().select(values.keySet());
    int[] ids = columns.columns().stream().mapToInt(field -> field.fieldId()).toArray();
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(columns)
            .build()
            .newEqualityDeleteWriter(
                outputs(table).newOutputFile(), PartitionSpec.unpartitioned(), null);
    try (writer) {
      writer.write(GenericRecord.create(columns).copy(values));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  /** Appends one row to an unpartitioned table with these snapshot properties. */
  public static void append(
      Table table, Map<String, @Nullable Object> row, Map<String, String> summary)
      throws IOException {
    var append = table.newAppend().appendFile(writeRows(table, List.of(row)));
    summary.forEach(append::set);
    append.commit();
  }

  /** Writes a data file for an unpartitioned table, and commits nothing. */
  public static DataFile writeRows(Table table, List<Map<String, @Nullable Object>> rows)
      throws IOException {
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build()
            .newDataWriter(outputs(table).newOutputFile(), PartitionSpec.unpartitioned(), null);
    try (writer) {
      for (Map<String, @Nullable Object> row : rows) {
        writer.write(GenericRecord.create(table.schema()).copy(row));
      }
    }
    return writer.toDataFile();
  }

  private static OutputFileFactory outputs(Table table) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .operationId(UUID.randomUUID().toString())
        .format(FileFormat.PARQUET)
        .build();
  }
}
