package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.ReconcileReport.Basis;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which files of the data table a reconcile opens: a regression in cost fails like one in result.
 */
@ExtendWith(LocalSpark.class)
class TestReconcileCost {
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog =
        LocalSpark.catalog(
            Map.of(
                "type", "hadoop",
                "warehouse", warehouse.toUri().toString(),
                "io-impl", CountingFileIO.class.getName()));
  }

  private static IndexFixture twentyFiles(String name, int version) {
    IndexFixture fixture = new IndexFixture(spark, catalog, name + version, "id");
    fixture.sql(
        ("CREATE TABLE $t (id BIGINT NOT NULL, v STRING) USING iceberg TBLPROPERTIES"
                + " ('format-version'='%d', 'write.delete.mode'='merge-on-read')")
            .formatted(version));
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(20, id) */ id, 'v' FROM range(2000)");
    IndexBuilder.build(spark, fixture.names());
    return fixture;
  }

  private static Set<String> liveFiles(IndexFixture fixture) {
    return files(fixture, "data_files");
  }

  private static Set<String> files(IndexFixture fixture, String metadataTable) {
    Set<String> files = new TreeSet<>();
    fixture
        .sql("SELECT file_path FROM " + fixture.names().sparkData() + "." + metadataTable)
        .forEach(row -> files.add(row.getString(0)));
    return files;
  }

  private static Set<String> openedBy(IndexFixture fixture, List<ReconcileReport> reports) {
    CountingFileIO.forget();
    Reconciliation outcome = IndexReconciler.reconcile(spark, fixture.names());
    Set<String> opened =
        CountingFileIO.askedUnder("/shop/" + fixture.names().data().name() + "/data/");
    assertThat(outcome).isInstanceOfSatisfying(CaughtUp.class, done -> reports.add(done.report()));
    assertThat(IndexVerifier.verify(spark, fixture.names()).differences()).isEmpty();
    return opened;
  }

  private static void compactOneFile(IndexFixture fixture) {
    ForeignOperation.call(
        fixture, "rewrite_data_files", "where => 'id < 90', options => map('rewrite-all', 'true')");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void compactionOfOneOfTwentyFilesOpensThatFile(int version) {
    IndexFixture fixture = twentyFiles("one", version);
    assertThat(liveFiles(fixture)).as("control").hasSize(20);
    Set<String> before = liveFiles(fixture);
    compactOneFile(fixture);
    Set<String> rewritten = liveFiles(fixture);
    rewritten.removeAll(before);
    assertThat(rewritten).as("control").hasSize(1);
    List<ReconcileReport> reports = new ArrayList<>();
    assertThat(openedBy(fixture, reports)).isEqualTo(rewritten);
    assertThat(reports.get(0).filesRead()).isEqualTo(1);
    assertThat(reports.get(0).rowsRead()).isEqualTo(100);
    assertThat(reports.get(0).entriesDropped()).isEqualTo(100);
    assertThat(reports.get(0).entriesAdded()).isEqualTo(100);
    assertThat(reports.get(0).entriesKept()).isEqualTo(1900);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void soItDoesWhenTheCoveredSnapshotIsExpired(int version) {
    IndexFixture fixture = twentyFiles("expired", version);
    Set<String> before = liveFiles(fixture);
    compactOneFile(fixture);
    ForeignOperation.expire(fixture);
    Set<String> rewritten = liveFiles(fixture);
    rewritten.removeAll(before);
    List<ReconcileReport> reports = new ArrayList<>();
    assertThat(openedBy(fixture, reports)).isEqualTo(rewritten);
    assertThat(reports.get(0).basis()).isEqualTo(Basis.ENTRIES);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesByPositionOpenNoDataFile(int version) {
    IndexFixture fixture = twentyFiles("deleted", version);
    fixture.sql("DELETE FROM $t WHERE id IN (5, 6, 1505)");
    List<ReconcileReport> reports = new ArrayList<>();
    Set<String> opened = openedBy(fixture, reports);
    assertThat(opened).isNotEmpty().isEqualTo(files(fixture, "delete_files"));
    assertThat(reports.get(0).entriesDropped()).isEqualTo(3);
    assertThat(reports.get(0).rowsRead()).isZero();
    assertThat(reports.get(0).filesMasked()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void equalityDeletesByKeyOpenNoDataFile(int version) throws IOException {
    IndexFixture fixture = twentyFiles("erased", version);
    IndexFixture.deleteEqual(fixture.data(), Map.of("id", 5L));
    IndexFixture.deleteEqual(fixture.data(), Map.of("id", 1505L));
    List<ReconcileReport> reports = new ArrayList<>();
    Set<String> opened = openedBy(fixture, reports);
    assertThat(opened).isNotEmpty().isEqualTo(files(fixture, "delete_files"));
    assertThat(reports.get(0).entriesDropped()).isEqualTo(2);
    assertThat(reports.get(0).filesMasked()).as("others by their bounds").isEqualTo(2);
    assertThat(reports.get(0).rowsRead()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void anAppendOpensItsFileAndDropsNothing(int version) {
    IndexFixture fixture = twentyFiles("appended", version);
    Set<String> before = liveFiles(fixture);
    fixture.sql("INSERT INTO $t VALUES (5000, 'new')");
    Set<String> added = liveFiles(fixture);
    added.removeAll(before);
    List<ReconcileReport> reports = new ArrayList<>();
    assertThat(openedBy(fixture, reports)).isEqualTo(added);
    assertThat(reports.get(0).entriesDropped()).isZero();
    assertThat(reports.get(0).entriesAdded()).isEqualTo(1);
  }
}
