package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of other shapes, file formats and keys. */
@ExtendWith(LocalSpark.class)
class TestReconciledTables {
  private static final String MERGE_ON_READ =
      "TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='merge-on-read',"
          + " 'write.update.mode'='merge-on-read', 'write.format.default'='%s')";

  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static IndexFixture table(String name, String... key) {
    return new IndexFixture(spark, catalog, name, key);
  }

  private static void caughtUp(IndexFixture fixture) {
    assertThat(new ReconcileOracle(spark, fixture).reconcile()).isInstanceOf(CaughtUp.class);
  }

  private static void compact(IndexFixture fixture) {
    ForeignOperation.call(fixture, "rewrite_data_files", "options => map('rewrite-all', 'true')");
  }

  @Tag("long")
  @Test
  void keysOfEveryTypeInVersionTwo() {
    keysOfEveryTypeThatSparkReads(2);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void keysOfEveryTypeThatSparkReads(int version) {
    IndexFixture fixture =
        table("types" + version, "n", "i", "flag", "d", "ts", "tz", "text", "raw", "day", "fixed");
    fixture.sql(
        "CREATE TABLE $t (n DECIMAL(38,10) NOT NULL, i INT, flag BOOLEAN, d DECIMAL(9,2),"
            + " ts TIMESTAMP_NTZ, tz TIMESTAMP, text STRING, raw BINARY, day DATE, v INT)"
            + " USING iceberg "
            + MERGE_ON_READ.formatted(version, "parquet"));
    fixture.data().updateSchema().addColumn("fixed", Types.FixedType.ofLength(4)).commit();
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION(2) */"
            + " CAST(id AS DECIMAL(38,10)) * -12345678901234567.0000000001, CAST(id - 50 AS INT),"
            + " id % 2 = 0, CAST(id * 1.07 AS DECIMAL(9,2)),"
            + " TIMESTAMP_NTZ '0001-01-01 00:00:00.000001' + make_dt_interval(CAST(id AS INT)),"
            + " TIMESTAMP '9999-12-31 23:59:59.999999' - make_dt_interval(CAST(id AS INT)),"
            + " concat(element_at(array('', 'ß', '日本', '🐘', 'é', ' x '), CAST(id % 6 + 1 AS INT)), id),"
            + " unhex(lpad(hex(id * 131), 4, 'F')), date_add(DATE '1969-12-01', CAST(id AS INT)), 0,"
            + " unhex(lpad(hex(id), 8, '0'))"
            + " FROM range(100)");
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("UPDATE $t SET v = 1 WHERE i > 30");
    caughtUp(fixture);
    fixture.sql("DELETE FROM $t WHERE i < -45");
    compact(fixture);
    caughtUp(fixture);
  }

  @Test
  void uuidKeys() {
    IndexFixture fixture = table("uuids", "id");
    catalog
        .iceberg()
        .buildTable(
            fixture.names().data(),
            new Schema(
                Types.NestedField.required(1, "id", Types.UUIDType.get()),
                Types.NestedField.optional(2, "v", Types.IntegerType.get())))
        .withProperty("format-version", "3")
        .create();
    fixture.sql("INSERT INTO $t SELECT uuid(7), 1 FROM range(500)");
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t SELECT uuid(1000), 1 FROM range(500)");
    caughtUp(fixture);
    compact(fixture);
    caughtUp(fixture);
  }

  @ParameterizedTest
  @ValueSource(strings = {"avro", "orc"})
  void dataFilesOfOtherFormats(String format) throws IOException {
    IndexFixture fixture = table(format, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, v STRING) USING iceberg "
            + MERGE_ON_READ.formatted(2, format));
    fixture.sql("INSERT INTO $t SELECT /*+ REPARTITION(2) */ id, 'v' FROM range(300)");
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("UPDATE $t SET v = 'w' WHERE id % 7 = 0");
    IndexFixture.deleteEqual(fixture.data(), Map.of("id", 8L));
    caughtUp(fixture);
  }

  @Tag("long")
  @Test
  void partitionedTablesInVersionTwo() throws IOException {
    partitionedTablesWithDeletesOfOnePartition(2);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void partitionedTablesWithDeletesOfOnePartition(int version) throws IOException {
    IndexFixture fixture = table("partitioned" + version, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, region STRING) USING iceberg PARTITIONED BY (region) "
            + MERGE_ON_READ.formatted(version, "parquet"));
    fixture.sql("INSERT INTO $t SELECT id, concat('r', id % 3) FROM range(300)");
    IndexBuilder.build(spark, fixture.names());
    deleteEqualIn(fixture.data(), "r1", 4L);
    deleteEqualIn(fixture.data(), "r1", 5L);
    assertThat(fixture.value("SELECT count(*) FROM $t")).as("5 is in another").isEqualTo(299L);
    caughtUp(fixture);
    fixture.sql("DELETE FROM $t WHERE region = 'r2'");
    fixture.sql("UPDATE $t SET region = 'r9' WHERE id % 30 = 0");
    caughtUp(fixture);
  }

  private static void deleteEqualIn(Table table, String region, long id) throws IOException {
    Schema columns = table.schema().select("id");
    PartitionKey partition = new PartitionKey(table.spec(), table.schema());
    Record row = GenericRecord.create(table.schema());
    row.setField("region", region);
    partition.partition(row);
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(new int[] {columns.findField("id").fieldId()})
            .equalityDeleteRowSchema(columns)
            .build()
            .newEqualityDeleteWriter(
                OutputFileFactory.builderFor(table, 0, id)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(table.spec(), partition),
                table.spec(),
                partition);
    try (writer) {
      writer.write(GenericRecord.create(columns).copy(Map.of("id", id)));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  @Test
  void aRenamedKeyColumn() throws IOException {
    IndexFixture before = table("renamed", "id");
    before.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, v STRING) USING iceberg "
            + MERGE_ON_READ.formatted(3, "parquet"));
    before.sql("INSERT INTO $t SELECT id, 'v' FROM range(200)");
    ReconcileOracle.buildWithOrders(spark, before);
    Map<String, String> orders = new ReconcileOracle(spark, before).orders();
    before.sql("ALTER TABLE $t RENAME COLUMN id TO `order id```");
    before.sql("INSERT INTO $t VALUES (1000, 'r')");
    before.sql("DELETE FROM $t WHERE `order id``` = 3");
    IndexFixture after = table("renamed", "order id`");
    assertThat(IndexReconciler.reconcile(spark, after.names())).isInstanceOf(CaughtUp.class);
    assertThat(after.index().schema().columns().get(0).name()).isEqualTo("order id`");
    new ReconcileOracle(spark, after).check(orders);
  }

  @Test
  void aDroppedColumnThatAnEqualityDeleteStillNames() throws IOException {
    IndexFixture fixture = table("dropped", "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, region STRING) USING iceberg "
            + MERGE_ON_READ.formatted(2, "parquet"));
    fixture.sql("INSERT INTO $t SELECT id, concat('r', id % 3) FROM range(300)");
    IndexBuilder.build(spark, fixture.names());
    IndexFixture.deleteEqual(fixture.data(), Map.of("region", "r1"));
    fixture.sql("ALTER TABLE $t DROP COLUMN region");
    assertThat(fixture.value("SELECT count(*) FROM $t")).as("control").isEqualTo(200L);
    caughtUp(fixture);
  }

  @Test
  void anUpgradedTableGetsAnUpgradedIndex() {
    IndexFixture fixture = table("upgraded", "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, v STRING) USING iceberg "
            + MERGE_ON_READ.formatted(2, "parquet"));
    fixture.sql("INSERT INTO $t SELECT /*+ REPARTITION(3) */ id, 'v' FROM range(300)");
    fixture.sql("DELETE FROM $t WHERE id % 20 = 4");
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("DELETE FROM $t WHERE id % 20 = 5");
    caughtUp(fixture);
    fixture.sql("ALTER TABLE $t SET TBLPROPERTIES ('format-version'='3')");
    fixture.sql("DELETE FROM $t WHERE id % 20 = 6");
    caughtUp(fixture);
    assertThat(org.apache.iceberg.TableUtil.formatVersion(fixture.index())).isEqualTo(3);
    fixture.sql("UPDATE $t SET v = 'w' WHERE id % 20 = 7");
    compact(fixture);
    caughtUp(fixture);
  }

  @Test
  void anEmptyTableThatGetsRowsAndLosesThemAll() {
    IndexFixture fixture = table("empty", "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, v STRING) USING iceberg "
            + MERGE_ON_READ.formatted(3, "parquet"));
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t SELECT id, 'v' FROM range(10)");
    caughtUp(fixture);
    fixture.sql("DELETE FROM $t WHERE id >= 0");
    caughtUp(fixture);
    assertThat(fixture.value("SELECT count(*) FROM $i")).isEqualTo(0L);
    fixture.sql("INSERT INTO $t SELECT id, 'v' FROM range(5)");
    caughtUp(fixture);
  }
}
