package io.rowmark.index.build;

import static io.rowmark.index.testing.IndexAssertions.assertExact;
import static io.rowmark.index.testing.IndexAssertions.deleteFiles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LocalSpark.class)
class TestIndexBuilder {
  private static final String MERGE_ON_READ =
      "TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='merge-on-read',"
          + " 'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read')";

  private static Path warehouse;
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path directory) {
    warehouse = directory;
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static IndexFixture table(String name, String... key) {
    return new IndexFixture(spark, catalog, name, key);
  }

  private static IndexFixture orders(String name, int formatVersion, String partitioning) {
    IndexFixture fixture = table(name + formatVersion, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, region STRING, amount INT) USING iceberg "
            + partitioning
            + " "
            + MERGE_ON_READ.formatted(formatVersion));
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION(3) */ id, concat('r', id % 3), 0 FROM range(300)");
    return fixture;
  }

  private static BuildReport build(IndexFixture fixture) {
    return IndexBuilder.build(spark, fixture.names());
  }

  private static void assertSound(IndexFixture fixture) {
    assertExact(fixture);
    VerifyReport report = IndexVerifier.verify(spark, fixture.names());
    assertThat(report.differences()).isEmpty();
    assertThat(report.rowsInTable()).isEqualTo(fixture.value("SELECT count(*) FROM $t"));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void everyRowGetsOneEntry(int version) {
    IndexFixture fixture = orders("plain", version, "");
    BuildReport report = build(fixture);
    assertThat(report.rows()).isEqualTo(300);
    assertThat(report.tombstones()).isZero();
    assertThat(report.files()).isEqualTo(1);
    assertThat(report.bytes()).isPositive();
    assertThat(report.dataSnapshotId()).isEqualTo(fixture.data().currentSnapshot().snapshotId());
    assertThat(report.indexSnapshotId()).isEqualTo(fixture.index().currentSnapshot().snapshotId());
    assertSound(fixture);
    assertThat(fixture.value("SELECT count(*) FROM $i WHERE row_id IS NOT NULL")).isEqualTo(0L);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void theIndexHasTheFormatVersionOfItsTable(int version) {
    IndexFixture fixture = orders("format", version, "");
    build(fixture);
    assertThat(TableUtil.formatVersion(fixture.index())).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void partitionedTablesAreIndexedAsOne(int version) {
    IndexFixture fixture = orders("partitioned", version, "PARTITIONED BY (region)");
    build(fixture);
    assertSound(fixture);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void rowsHiddenByPositionDeletesAndVectorsAreLeftOut(int version) {
    IndexFixture fixture = orders("merged", version, "PARTITIONED BY (region)");
    fixture.sql(
        "MERGE INTO $t t USING (SELECT id * 7 AS id FROM range(60)) s ON t.id = s.id"
            + " WHEN MATCHED AND t.id % 2 = 0 THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET amount = 9"
            + " WHEN NOT MATCHED THEN INSERT (id, region, amount) VALUES (s.id, 'new', 1)");
    assertThat(deleteFiles(fixture)).as("control: deletes are present").isPositive();
    assertThat(
            fixture.value(
                "SELECT sum(record_count) FROM "
                    + fixture.names().sparkData()
                    + ".files WHERE content = 0"))
        .as("control: files hold more rows than the table")
        .isNotEqualTo(fixture.value("SELECT count(*) FROM $t"));
    build(fixture);
    assertSound(fixture);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void rowsHiddenByEqualityDeletesAreLeftOut(int version) throws IOException {
    IndexFixture fixture = orders("equality", version, "");
    IndexFixture.deleteEqual(fixture.data(), Map.of("region", "r1"));
    assertThat(fixture.value("SELECT count(*) FROM $t")).as("control").isEqualTo(200L);
    assertThat(build(fixture).rows()).isEqualTo(200);
    assertSound(fixture);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aBuildAfterCompactionNamesTheNewFiles(int version) {
    IndexFixture fixture = orders("compacted", version, "");
    fixture.sql("DELETE FROM $t WHERE id % 10 = 3");
    build(fixture);
    fixture.sql(
        "CALL %s.system.rewrite_data_files(table => '%s', options => map('rewrite-all', 'true'))"
            .formatted(catalog.name(), fixture.names().data()));
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOf(Freshness.Stale.class);
    assertThat(IndexVerifier.verify(spark, fixture.names()).agrees()).isFalse();
    build(fixture);
    assertSound(fixture);
  }

  private static KeySpec keyOf(IndexFixture fixture) {
    return fixture.names().keyOf(fixture.data());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void keysOfEveryTypeThatSparkReadsWork(int version) {
    IndexFixture fixture =
        table("types" + version, "n", "i", "flag", "d", "ts", "tz", "text", "raw", "day", "fixed");
    fixture.sql(
        "CREATE TABLE $t (n DECIMAL(38,10) NOT NULL, i INT, flag BOOLEAN, d DECIMAL(9,2),"
            + " ts TIMESTAMP_NTZ, tz TIMESTAMP, text STRING, raw BINARY, day DATE, v INT)"
            + " USING iceberg "
            + MERGE_ON_READ.formatted(version));
    Table data = fixture.data();
    data.updateSchema().addColumn("fixed", Types.FixedType.ofLength(4)).commit();
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION(2) */"
            + " CAST(id AS DECIMAL(38,10)) * -12345678901234567.0000000001, CAST(id - 50 AS INT),"
            + " id % 2 = 0, CAST(id * 1.07 AS DECIMAL(9,2)),"
            + " TIMESTAMP_NTZ '0001-01-01 00:00:00.000001' + make_dt_interval(CAST(id AS INT)),"
            + " TIMESTAMP '9999-12-31 23:59:59.999999' - make_dt_interval(CAST(id AS INT)),"
            + " concat(element_at(array('', 'ß', '日本', '🐘', 'e\\u0301', 'é', ' x '), CAST(id % 7 + 1 AS INT)), id),"
            + " unhex(lpad(hex(id * 131), 4, 'F')), date_add(DATE '1969-12-01', CAST(id AS INT)), 0,"
            + " unhex(lpad(hex(id), 8, '0'))"
            + " FROM range(100)");
    assertThat(build(fixture).rows()).isEqualTo(100);
    assertSound(fixture);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void uuidKeysStayUuids(int version) {
    IndexFixture fixture = table("uuids" + version, "id");
    var schema =
        new Schema(
            Types.NestedField.required(1, "id", Types.UUIDType.get()),
            Types.NestedField.optional(2, "v", Types.IntegerType.get()));
    catalog
        .iceberg()
        .buildTable(fixture.names().data(), schema)
        .withProperty("format-version", "" + version)
        .create();
    fixture.sql("INSERT INTO $t SELECT /*+ REPARTITION(2) */ uuid(7), 1 FROM range(500)");
    build(fixture);
    assertThat(fixture.index().schema().findType("id")).isEqualTo(Types.UUIDType.get());
    assertSound(fixture);
    assertThat(fixture.index().schema().columns().get(0).isRequired()).isTrue();
  }

  @Test
  void entriesAreSortedByKey() {
    IndexFixture fixture = orders("sorted", 3, "");
    build(fixture);
    List<Row> rows = fixture.sql("SELECT id FROM $i ORDER BY _file, _pos");
    assertThat(rows.stream().map(row -> row.getLong(0)).toList()).isSorted();
  }

  @Test
  void keysAreSplitOverSeveralFilesWithoutAKeyInTwo() {
    IndexFixture fixture = table("large", "a", "b");
    fixture.sql(
        "CREATE TABLE $t (a INT NOT NULL, b BIGINT NOT NULL) USING iceberg TBLPROPERTIES ('format-version'='3')");
    fixture.sql("INSERT INTO $t SELECT CAST(id % 3 AS INT), id FROM range(1200000)");
    BuildReport report = build(fixture);
    assertThat(report.files()).isEqualTo(2);
    assertThat(report.rows()).isEqualTo(1_200_000);
    assertThat(IndexVerifier.verify(spark, fixture.names()).differences()).isEmpty();
  }

  @Test
  void aRenamedKeyColumnIsTheSameKeyAndTheIndexFollows() {
    IndexFixture before = orders("renamed", 3, "");
    build(before);
    IndexFixture after = table("renamed3", "order id`");
    before.sql("ALTER TABLE $t RENAME COLUMN id TO `order id```");
    assertThat(IndexTables.freshness(after.index(), after.data(), keyOf(after)))
        .isInstanceOf(Freshness.Fresh.class);
    assertThat(IndexVerifier.verify(spark, after.names()).differences()).isEmpty();
    build(after);
    assertThat(after.index().schema().columns().get(0).name()).isEqualTo("order id`");
    after.sql("INSERT INTO $t VALUES (1000, 'r', 1)");
    build(after);
    assertThat(IndexVerifier.verify(spark, after.names()).differences()).isEmpty();
    assertThat(after.value("SELECT count(*) FROM $i WHERE `order id``` = 1000")).isEqualTo(1L);
  }

  @Test
  void aWidenedKeyColumnMakesANewIndex() {
    IndexFixture fixture = table("widened", "id");
    fixture.sql(
        "CREATE TABLE $t (id INT NOT NULL) USING iceberg TBLPROPERTIES ('format-version'='3')");
    fixture.sql("INSERT INTO $t VALUES (1), (2)");
    build(fixture);
    fixture.sql("ALTER TABLE $t ALTER COLUMN id TYPE BIGINT");
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOf(Freshness.Stale.class);
    assertThatThrownBy(() -> IndexVerifier.verify(spark, fixture.names()))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("was built for other key columns than [id]");
    build(fixture);
    assertSound(fixture);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void anEmptyTableGetsAnEmptyIndexThatIsFresh(int version) {
    IndexFixture fixture = table("empty" + version, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL) USING iceberg " + MERGE_ON_READ.formatted(version));
    BuildReport report = build(fixture);
    assertThat(report.rows()).isZero();
    assertThat(report.dataSnapshotId()).isNull();
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOf(Freshness.Fresh.class);
    assertThat(IndexVerifier.verify(spark, fixture.names()).agrees()).isTrue();
    fixture.sql("INSERT INTO $t VALUES (1)");
    fixture.sql("DELETE FROM $t");
    assertThat(build(fixture).rows()).isZero();
    assertThat(IndexVerifier.verify(spark, fixture.names()).agrees()).isTrue();
  }

  @Test
  void repeatedKeysAreRefusedByPlaceAndNothingIsCommitted() {
    IndexFixture fixture = orders("repeated", 3, "");
    build(fixture);
    long before = fixture.index().currentSnapshot().snapshotId();
    fixture.sql("INSERT INTO $t VALUES (17, 'x', 0), (17, 'y', 0), (18, 'z', 0)");
    assertThatThrownBy(() -> build(fixture))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE))
        .hasMessageContaining(
            "Table shop.repeated3 has 2 keys that occur more than once (3 rows too many), for example position ")
        .hasMessageContaining(" of data file 'file:")
        .hasMessageContaining("nothing was committed");
    assertThat(fixture.index().currentSnapshot().snapshotId()).isEqualTo(before);
    assertThat(indexFilesOnDisk(fixture)).as("files of the refused build are gone").isEqualTo(1);
  }

  private static long indexFilesOnDisk(IndexFixture fixture) {
    Path data = warehouse.resolve("shop").resolve(fixture.names().index().name()).resolve("data");
    try (var files = Files.list(data)) {
      return files
          .filter(file -> file.toString().endsWith(".parquet"))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nullKeysAreRefusedByPlaceAndNothingIsCommitted() {
    IndexFixture fixture = table("nulls", "id", "region");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT, region STRING) USING iceberg TBLPROPERTIES ('format-version'='2')");
    fixture.sql("INSERT INTO $t VALUES (1, 'a'), (2, null), (2, null), (null, null)");
    assertThatThrownBy(() -> build(fixture))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining(
            "Table shop.nulls has 3 rows with a null in a key column, for example position ")
        .hasMessageContaining("one row for each key [id, region]; nothing was committed");
    assertThat(fixture.index().currentSnapshot()).isNull();
  }

  @Test
  void tablesOfFormatVersionOneAreRefused() {
    IndexFixture fixture = table("ancient", "id");
    fixture.sql("CREATE TABLE $t (id BIGINT) USING iceberg TBLPROPERTIES ('format-version'='1')");
    assertThatThrownBy(() -> build(fixture))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith(
            "Table shop.ancient has format version 1, which knows no deletes. Upgrade it first: ALTER TABLE ");
  }

  @Test
  void aTableThatIsNotAnIndexIsNeverOverwritten() {
    IndexFixture fixture = orders("precious", 2, "");
    IndexedTable names =
        new IndexedTable(
            catalog.iceberg(),
            catalog.name(),
            fixture.names().data(),
            TableIdentifier.of("shop", "other"),
            List.of("id"));
    spark.sql("CREATE TABLE " + names.sparkIndex() + " (id BIGINT) USING iceberg");
    assertThatThrownBy(() -> IndexBuilder.build(spark, names))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith("Table shop.other is not an index that Rowmark made");
  }

  @Test
  void aMissingTableIsNamed() {
    assertThatThrownBy(() -> build(table("nowhere", "id")))
        .isInstanceOf(RowmarkException.class)
        .hasMessageStartingWith("Table shop.nowhere does not exist in catalog " + catalog.name());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aRebuildKeepsOrdersTombstonesAndTheLastTruncate(int version) throws IOException {
    IndexFixture fixture = orders("kept", version, "");
    build(fixture);
    Table index = fixture.index();
    IndexCoverage coverage = IndexTables.state(index).coverage().orElseThrow();
    byte[] truncated = {1, 2, 3};
    IndexCoverage withTruncate =
        IndexCoverage.of(
            coverage.tableUuid(), coverage.dataSnapshotId(), coverage.keyFingerprint(), truncated);
    Row five = fixture.sql("SELECT data_file, position FROM $i WHERE id = 5").get(0);
    entry(index, 5, five.getString(0), five.getLong(1), new byte[] {0, 5}, withTruncate);
    entry(index, 6, null, null, new byte[] {0, 6}, withTruncate);
    entry(index, 7777, null, null, new byte[] {(byte) 0x80, 7}, withTruncate);
    // Two entries of one key: the later order is kept. The old ones of 5 and 6 carry no order.
    entry(index, 8888, null, null, new byte[] {0, 9}, withTruncate);
    entry(index, 8888, null, null, new byte[] {(byte) 0xFF}, withTruncate);
    fixture.sql("UPDATE $t SET amount = 1 WHERE id = 5");
    fixture.sql("DELETE FROM $t WHERE id = 6");

    BuildReport report = build(fixture);

    assertThat(report.rows()).isEqualTo(299);
    assertThat(report.tombstones()).isEqualTo(3);
    assertExact(fixture);
    assertThat(IndexVerifier.verify(spark, fixture.names()).agrees()).isTrue();
    assertThat(
            fixture
                .sql(
                    "SELECT id, hex(change_order), data_file IS NULL, position IS NULL FROM $i"
                        + " WHERE change_order IS NOT NULL ORDER BY id")
                .stream()
                .map(Row::mkString)
                .toList())
        .containsExactly("50005falsefalse", "60006truetrue", "77778007truetrue", "8888FFtruetrue");
    assertThat(IndexTables.state(fixture.index()).coverage().orElseThrow().truncatedAt())
        .isEqualTo(truncated);
    assertThat(build(fixture).tombstones()).as("a second rebuild keeps them too").isEqualTo(3);
  }

  private static void entry(
      Table index,
      long id,
      @Nullable String file,
      @Nullable Long position,
      byte[] order,
      IndexCoverage coverage)
      throws IOException {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("id", id);
    row.put("data_file", file);
    row.put("position", position);
    row.put("change_order", ByteBuffer.wrap(order));
    index.refresh();
    IndexFixture.append(index, row, coverage.toSummary());
  }

  @Test
  void anIndexOfAnEarlierTableOfThatNameGivesNothing() throws IOException {
    IndexFixture fixture = orders("reborn", 3, "");
    build(fixture);
    entry(
        fixture.index(),
        7777,
        null,
        null,
        new byte[] {1},
        IndexTables.state(fixture.index()).coverage().orElseThrow());
    fixture.sql("DROP TABLE $t PURGE");
    orders("reborn", 3, "");
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOfSatisfying(
            Freshness.Stale.class,
            stale -> assertThat(stale.reason()).startsWith("it belongs to another table"));
    assertThat(build(fixture).tombstones()).isZero();
    assertSound(fixture);
  }

  @Test
  void aRebuildReplacesEntriesAndTheirDeletes() throws IOException {
    IndexFixture fixture = orders("replaced", 3, "");
    build(fixture);
    Table index = fixture.index();
    String file = (String) fixture.value("SELECT DISTINCT _file FROM $i");
    IndexFixture.deletePosition(index, file, 10);
    build(fixture);
    assertThat(
            fixture.value("SELECT count(*) FROM " + fixture.names().sparkIndex() + ".delete_files"))
        .isEqualTo(0L);
    assertSound(fixture);
  }

  @Test
  void movedRowsKeepTheirIdInTheIndex() {
    IndexFixture fixture = orders("lineage", 3, "");
    fixture.sql("UPDATE $t SET amount = 5 WHERE id IN (10, 20)");
    List<Row> ids = fixture.sql("SELECT id, _row_id FROM $t WHERE id IN (10, 20) ORDER BY id");
    build(fixture);
    assertThat(fixture.sql("SELECT id, row_id FROM $i WHERE row_id IS NOT NULL ORDER BY id"))
        .isEqualTo(ids);
    assertSound(fixture);
  }

  @Test
  void anUpgradedTableGetsAnUpgradedIndex() {
    IndexFixture fixture = orders("upgraded", 2, "");
    fixture.sql("DELETE FROM $t WHERE id = 4");
    build(fixture);
    fixture.sql("ALTER TABLE $t SET TBLPROPERTIES ('format-version'='3')");
    build(fixture);
    assertSound(fixture);
    fixture.sql("UPDATE $t SET amount = 5 WHERE id = 7");
    build(fixture);
    assertThat(TableUtil.formatVersion(fixture.index())).isEqualTo(3);
    assertSound(fixture);
  }

  @Test
  void compactionOfTheIndexKeepsItsCoverage() throws IOException {
    IndexFixture fixture = orders("tidied", 3, "");
    build(fixture);
    fixture.sql(
        "CALL %s.system.rewrite_data_files(table => '%s', options => map('rewrite-all', 'true'))"
            .formatted(catalog.name(), fixture.names().index()));
    assertThat(fixture.index().currentSnapshot().operation()).isEqualTo("replace");
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOf(Freshness.Fresh.class);
    assertSound(fixture);
  }

  @Test
  void foreignChangesOfTheIndexEndItsCoverage() {
    IndexFixture fixture = orders("touched", 3, "");
    build(fixture);
    fixture.sql("DELETE FROM $i WHERE id = 1");
    assertThat(IndexTables.freshness(fixture.index(), fixture.data(), keyOf(fixture)))
        .isInstanceOfSatisfying(
            Freshness.Stale.class,
            stale ->
                assertThat(stale.reason())
                    .isEqualTo("its content was changed by something other than Rowmark"));
  }

  @Test
  void jobsAreDescribedAndTheFormerDescriptionComesBack() {
    IndexFixture fixture = orders("described", 3, "");
    spark.sparkContext().setJobDescription("mine");
    build(fixture);
    assertThat(spark.sparkContext().getLocalProperty("spark.job.description")).isEqualTo("mine");
    spark.sparkContext().setLocalProperty("spark.job.description", null);
  }
}
