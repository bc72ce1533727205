package io.rowmark.index.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class TestDeleteConversion {
  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir Path folder;
  private IndexFixture table;

  @BeforeEach
  void open(TestInfo test) {
    LocalCatalog catalog = LocalSpark.hadoopCatalog(folder);
    table = new IndexFixture(SPARK, catalog, test.getTestMethod().orElseThrow().getName(), "id");
  }

  @Test
  void equalityDeletesBecomePositionDeletesAndTheSameRowsAreHidden() throws IOException {
    create("'format-version'='2'");
    insert("(1, 'a', 10), (2, 'b', 20), (3, 'c', 30)");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 2));
    insert("(2, 'b2', 21), (4, 'd', 40)");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 4));

    List<Row> before = rows();
    ConversionReport report = convert(DeleteFormat.POSITION, Map.of());

    assertThat(rows()).isEqualTo(before).hasSize(3);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.POSITION, 2));
    assertThat(report).isEqualTo(new ConversionReport(2, 0, 2, 2, 2));
    assertThat(rowsInDataFiles()).as("rows with deletes left out of account").isEqualTo(5);
  }

  @Test
  void allKindsBecomeOneVectorForEachDataFileTogetherWithTheUpgrade() throws IOException {
    create("'format-version'='2','write.delete.mode'='merge-on-read'");
    insert("(1, 'a', 10), (2, 'b', 20), (3, 'c', 30), (4, 'd', 40)");
    table.sql("DELETE FROM $t WHERE id = 1");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 2));
    // hits a row that is hidden by position already
    IndexFixture.deleteEqual(table.data(), Map.of("name", "a"));

    List<Row> before = rows();
    ConversionReport report =
        convert(DeleteFormat.DELETION_VECTOR, Map.of(TableProperties.FORMAT_VERSION, "3"));

    assertThat(rows()).isEqualTo(before).hasSize(2);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.DELETION_VECTOR, 1));
    assertThat(report).isEqualTo(new ConversionReport(1, 0, 1, 3, 1));
  }

  @Test
  void positionDeletesThatSpanFilesBecomeVectorsAfterAnUpgrade() {
    create(
        "'format-version'='2','write.delete.mode'='merge-on-read','write.delete.granularity'='partition'");
    insert("(1, 'a', 10), (2, 'b', 20)");
    insert("(3, 'c', 30), (4, 'd', 40)");
    table.sql("DELETE FROM $t WHERE id IN (1, 3)");
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.POSITION, 1));

    List<Row> before = rows();
    convert(DeleteFormat.DELETION_VECTOR, Map.of(TableProperties.FORMAT_VERSION, "3"));

    assertThat(rows()).isEqualTo(before).hasSize(2);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.DELETION_VECTOR, 2));
  }

  @Test
  void aFileThatThePartitionsDeleteFileDoesNotNameGetsNoVector() {
    create(
        "'format-version'='2','write.delete.mode'='merge-on-read','write.delete.granularity'='partition'");
    insert("(1, 'a', 10), (2, 'b', 20)");
    insert("(3, 'c', 30), (4, 'd', 40)");
    insert("(5, 'e', 50), (6, 'f', 60)");
    // the bounds of the delete file hold the path of the file between
    List<Row> byPath = table.sql("SELECT min(id) FROM $t GROUP BY _file ORDER BY _file");
    table.sql(
        "DELETE FROM $t WHERE id IN (%d, %d)"
            .formatted(byPath.get(0).getInt(0), byPath.get(2).getInt(0)));

    convert(DeleteFormat.DELETION_VECTOR, Map.of(TableProperties.FORMAT_VERSION, "3"));

    assertThat(rows()).hasSize(4);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.DELETION_VECTOR, 2));
  }

  @Test
  void aFileWithoutALiveRowIsDropped() throws IOException {
    create("'format-version'='2'");
    insert("(1, 'a', 10)");
    insert("(2, 'b', 20), (3, 'c', 30)");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 1));

    ConversionReport report = convert(DeleteFormat.POSITION, Map.of());

    assertThat(report.dropped()).isEqualTo(1);
    assertThat(rowsInDataFiles()).isEqualTo(2);
    assertThat(kinds()).isEmpty();
    assertThat(rows()).hasSize(2);
  }

  @Test
  void aDeleteThatSpeaksOfADroppedColumnStillHidesItsRows() throws IOException {
    create("'format-version'='2'");
    insert("(1, 'a', 10), (2, 'b', 20), (3, 'c', 30)");
    IndexFixture.deleteEqual(table.data(), Map.of("name", "b"));
    table.sql("ALTER TABLE $t DROP COLUMN name");
    table.sql("ALTER TABLE $t ADD COLUMN name STRING");

    convert(DeleteFormat.POSITION, Map.of());

    assertThat(table.sql("SELECT id FROM $t ORDER BY id"))
        .extracting(row -> row.getInt(0))
        .containsExactly(1, 3);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.POSITION, 1));
  }

  @Test
  void nullMatchesNullAndAWidenedColumnMatchesItsOldValues() throws IOException {
    create("'format-version'='2'");
    insert("(1, NULL, 10), (2, 'b', 20), (3, 'c', 30)");
    table.sql("ALTER TABLE $t ALTER COLUMN id TYPE BIGINT");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 3L));
    Map<String, Object> unnamed = new HashMap<>();
    unnamed.put("name", null);
    IndexFixture.deleteEqual(table.data(), unnamed);

    List<Row> before = rows();
    convert(DeleteFormat.POSITION, Map.of());

    assertThat(rows()).isEqualTo(before).hasSize(1);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.POSITION, 1));
  }

  @Test
  void rowsInAnOlderPartitionSpecAreReachedByGlobalDeletesOnly() throws IOException {
    create("'format-version'='2'");
    insert("(1, 'a', 10), (2, 'b', 20)");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 1));
    table.data().updateSpec().addField("name").commit();
    table.sql("REFRESH TABLE $t");
    insert("(1, 'a', 11), (3, 'c', 30)");

    List<Row> before = rows();
    convert(DeleteFormat.POSITION, Map.of());

    assertThat(rows()).isEqualTo(before).hasSize(3);
    assertThat(kinds()).containsOnly(Map.entry(DeleteFormat.POSITION, 1));
  }

  @Test
  void aTableWithTheWantedDeletesIsLeftAsItIs() {
    create("'format-version'='3','write.delete.mode'='merge-on-read'");
    insert("(1, 'a', 10), (2, 'b', 20)");
    table.sql("DELETE FROM $t WHERE id = 1");
    long snapshot = table.data().currentSnapshot().snapshotId();

    convert(DeleteFormat.DELETION_VECTOR, Map.of());

    assertThat(table.data().currentSnapshot().snapshotId()).isEqualTo(snapshot);
  }

  private void create(String properties) {
    table.sql(
        "CREATE TABLE $t (id INT NOT NULL, name STRING, n INT) USING iceberg TBLPROPERTIES (%s)"
            .formatted(properties));
  }

  private void insert(String values) {
    table.sql("INSERT INTO $t SELECT /*+ COALESCE(1) */ * FROM VALUES " + values);
  }

  private ConversionReport convert(DeleteFormat to, Map<String, String> properties) {
    Table data = table.data();
    ConversionPlan plan =
        ConversionPlan.of(data, data.currentSnapshot(), to, EnumSet.allOf(DeleteFormat.class));
    Transaction transaction = data.newTransaction();
    if (!properties.isEmpty()) {
      var update = transaction.updateProperties();
      properties.forEach(update::set);
      update.commit();
    }
    ConversionReport report = DeleteConversion.stage(SPARK, transaction, plan).report();
    transaction.commitTransaction();
    return report;
  }

  private List<Row> rows() {
    return table.sql("SELECT * FROM $t ORDER BY id");
  }

  private Map<DeleteFormat, Integer> kinds() {
    Map<DeleteFormat, Integer> kinds = new EnumMap<>(DeleteFormat.class);
    table
        .data()
        .currentSnapshot()
        .deleteManifests(table.data().io())
        .forEach(
            manifest -> {
              try (var deletes =
                  ManifestFiles.readDeleteManifest(
                      manifest, table.data().io(), table.data().specs())) {
                for (DeleteFile delete : deletes) {
                  kinds.merge(DeleteFormat.of(delete), 1, Integer::sum);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return kinds;
  }

  private long rowsInDataFiles() throws IOException {
    long rows = 0;
    try (CloseableIterable<FileScanTask> tasks = table.data().newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        rows += task.file().recordCount();
      }
    }
    return rows;
  }
}
