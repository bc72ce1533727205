package io.rowmark.merge.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.resolve.PositionReadTask.ReadPlan;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/** Seen to fail when the converter of rows does not know the position column. */
class TestPositionReadTask {
  private static final Types.StructType PLACE =
      Types.StructType.of(
          Types.NestedField.optional(5, "city", Types.StringType.get()),
          Types.NestedField.optional(6, "zip", Types.IntegerType.get()));
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "name", Types.StringType.get()),
          Types.NestedField.optional(3, "price", Types.DecimalType.of(12, 2)),
          Types.NestedField.optional(4, "place", PLACE),
          Types.NestedField.optional(
              7, "tags", Types.ListType.ofOptional(8, Types.StringType.get())));

  @TempDir Path warehouse;
  private Table table;

  @BeforeEach
  void create() {
    table =
        LocalSpark.hadoopCatalog(warehouse)
            .iceberg()
            .createTable(TableIdentifier.of("shop", "orders"), SCHEMA);
  }

  /** Appends a file with rows of these ids; every value tells its row. */
  private String append(long... ids) throws IOException {
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, 0, 0).operationId(UUID.randomUUID().toString()).build();
    DataWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build()
            .newDataWriter(outputs.newOutputFile(), table.spec(), null);
    try (writer) {
      for (long id : ids) {
        writer.write(record(id));
      }
    }
    DataFile file = writer.toDataFile();
    table.newAppend().appendFile(file).commit();
    return file.location();
  }

  private static Record record(long id) {
    GenericRecord place = GenericRecord.create(PLACE);
    place.setField("city", "city " + id);
    place.setField("zip", (int) id);
    GenericRecord record = GenericRecord.create(SCHEMA);
    record.setField("id", id);
    record.setField("name", id % 2 == 0 ? null : "name " + id);
    record.setField("price", BigDecimal.valueOf(id * 100 + 5, 2));
    record.setField("place", place);
    record.setField("tags", List.of("a" + id, "b" + id));
    return record;
  }

  private List<Row> read(List<Row> places) {
    Map<String, LiveFile> files = new HashMap<>();
    LiveFiles.at(table, table.currentSnapshot())
        .all()
        .forEach(file -> files.put(file.path(), file));
    Broadcast<ReadPlan> shipped =
        LocalSpark.session()
            .sparkContext()
            .broadcast(
                ReadPlan.of(
                    SerializableTable.copyOf(table), SchemaParser.toJson(table.schema()), files),
                ClassTag$.MODULE$.apply(ReadPlan.class));
    List<Row> found = new ArrayList<>();
    Iterator<Row> rows = new PositionReadTask(shipped).call(places.iterator());
    rows.forEachRemaining(found::add);
    return found;
  }

  private static void assertHolds(Row found, String file, long position, long id) {
    assertThat(found.getString(0)).isEqualTo(file);
    assertThat(found.getLong(1)).isEqualTo(position);
    Row row = found.getStruct(2);
    assertThat(row.size()).isEqualTo(SCHEMA.columns().size());
    assertThat(row.getLong(0)).isEqualTo(id);
    assertThat(row.<Object>getAs(1)).isEqualTo(id % 2 == 0 ? null : "name " + id);
    assertThat(row.getDecimal(2)).isEqualTo(BigDecimal.valueOf(id * 100 + 5, 2));
    assertThat(row.getStruct(3).getString(0)).isEqualTo("city " + id);
    assertThat(row.getStruct(3).getInt(1)).isEqualTo((int) id);
    assertThat(row.getList(4)).isEqualTo(List.of("a" + id, "b" + id));
  }

  @Test
  void everyWantedRowKeepsItsOwnValuesAfterLaterOnesAreRead() throws IOException {
    String first = append(10, 11, 12, 13, 14);
    String second = append(20, 21, 22);
    List<Row> found =
        read(
            List.of(
                RowFactory.create(first, 0L),
                RowFactory.create(first, 3L),
                RowFactory.create(first, 4L),
                RowFactory.create(second, 1L)));
    assertThat(found).hasSize(4);
    assertHolds(found.get(0), first, 0, 10);
    assertHolds(found.get(1), first, 3, 13);
    assertHolds(found.get(2), first, 4, 14);
    assertHolds(found.get(3), second, 1, 21);
  }

  @Test
  void noPlacesReadNothing() {
    assertThat(read(List.of())).isEmpty();
  }
}
