package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.PairCommit;
import io.rowmark.index.TableSwap;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.duplicates.DuplicateFinder;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.repair.IndexRepairer;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.SnapshotRef;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that others insert with a key that another row has, where the newest is to stay. */
@ExtendWith(LocalSpark.class)
class TestDuplicateKeys {
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path directory) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(directory);
  }

  private static IndexFixture table(String name, int version) {
    IndexFixture fixture = new IndexFixture(spark, catalog, name + version, "id");
    fixture.sql(
        ("CREATE TABLE $t (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='%d',"
                + " 'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read')")
            .formatted(version));
    fixture.sql("INSERT INTO $t SELECT id, 'v' FROM range(100)");
    return fixture;
  }

  private static IndexedTable keepNewest(IndexFixture fixture, PairCommit commit) {
    IndexedTable names = fixture.names();
    return new IndexedTable(
        names.catalog(),
        names.sparkCatalog(),
        names.data(),
        names.index(),
        names.key(),
        new DuplicateKeys.KeepNewest(commit));
  }

  private static ReconcileReport reconcile(IndexFixture fixture, long rowsPerCommit) {
    Reconciliation outcome =
        IndexReconciler.reconcile(
            spark,
            keepNewest(fixture, PairCommit.ORDERED),
            new ReconcileLimits(rowsPerCommit),
            step -> {});
    assertThat(outcome).isInstanceOf(CaughtUp.class);
    new ReconcileOracle(spark, fixture).check(Map.of());
    return ((CaughtUp) outcome).report();
  }

  private static Object only(IndexFixture fixture, long id) {
    assertThat(fixture.sql("SELECT v FROM $t WHERE id = " + id)).hasSize(1);
    return fixture.value("SELECT v FROM $t WHERE id = " + id);
  }

  @Tag("long")
  @Test
  void soItIsInVersionTwo() {
    theRowOfTheLastCommitStaysAndTheOtherIsReportedByItsPlace(2);
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void theRowOfTheLastCommitStaysAndTheOtherIsReportedByItsPlace(int version) {
    IndexFixture fixture = table("inserted", version);
    IndexBuilder.build(spark, fixture.names());
    Row old = fixture.sql("SELECT _file, _pos FROM $t WHERE id = 17").get(0);
    fixture.sql("INSERT INTO $t VALUES (17, 'again'), (500, 'new')");
    DuplicateReport found = DuplicateFinder.find(spark, fixture.names());
    assertThat(found.duplicates().keys()).isEqualTo(1);
    assertThat(found.filesRead())
        .isEqualTo(Math.toIntExact((long) fixture.value("SELECT count(DISTINCT _file) FROM $t")));

    ReconcileReport report = reconcile(fixture, 1_000_000);

    assertThat(only(fixture, 17)).isEqualTo("again");
    assertThat(fixture.value("SELECT count(*) FROM $t")).isEqualTo(101L);
    Duplicates deleted = report.duplicates();
    assertThat(deleted).isEqualTo(found.duplicates());
    assertThat(deleted.rows()).isEqualTo(1);
    assertThat(deleted.examples().get(0).dataFile()).isEqualTo(old.getString(0));
    assertThat(deleted.examples().get(0).position()).isEqualTo(old.getLong(1));
    assertThat(report.commits()).isEqualTo(1);
    assertThat(fixture.data().currentSnapshot().summary())
        .containsEntry("rowmark.duplicate-rows-removed", "1");
    assertThat(DuplicateFinder.find(spark, fixture.names()).duplicates().isEmpty()).isTrue();
  }

  @Test
  void inVersionThreeTheLastChangeOfARowCountsAlsoBehindACompaction() {
    IndexFixture fixture = table("touched", 3);
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t VALUES (17, 'again')");
    fixture.sql("UPDATE $t SET v = 'touched' WHERE id = 17 AND v = 'v'");
    ForeignOperation.call(fixture, "rewrite_data_files", "options => map('rewrite-all', 'true')");
    reconcile(fixture, 1_000_000);
    assertThat(only(fixture, 17)).isEqualTo("touched");
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void repeatedKeysOfSeveralSlicesAreSettledSliceBySlice(int version) {
    IndexFixture fixture = table("sliced", version);
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t VALUES (17, 'a'), (18, 'a')");
    fixture.sql("INSERT INTO $t VALUES (17, 'b')");
    fixture.sql("INSERT INTO $t VALUES (17, 'c'), (19, 'c'), (600, 'c')");
    fixture.sql("INSERT INTO $t VALUES (601, 'd'), (601, 'd')");
    ReconcileReport report = reconcile(fixture, 1);
    assertThat(report.duplicates().rows()).isEqualTo(6);
    assertThat(only(fixture, 17)).isEqualTo("c");
    assertThat(only(fixture, 18)).isEqualTo("a");
    assertThat(only(fixture, 19)).isEqualTo("c");
    assertThat(fixture.value("SELECT count(*) FROM $t")).isEqualTo(102L);
  }

  @Test
  void aBuildDeletesTheOlderRowsFirst() {
    buildDeletes(3);
  }

  @Tag("long")
  @Test
  void aBuildDeletesTheOlderRowsFirstInVersionTwo() {
    buildDeletes(2);
  }

  private static void buildDeletes(int version) {
    IndexFixture fixture = table("built", version);
    fixture.sql("INSERT INTO $t SELECT id, 'w' FROM range(30)");
    assertThatThrownBy(() -> IndexBuilder.build(spark, fixture.names()))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("has 30 keys that occur more than once (30 rows too many)");
    BuildReport report = IndexBuilder.build(spark, keepNewest(fixture, PairCommit.ORDERED));
    assertThat(report.rows()).isEqualTo(100);
    assertThat(report.duplicates().keys()).isEqualTo(30);
    assertThat(report.duplicates().examples()).hasSize(Duplicates.MOST_EXAMPLES);
    assertThat(fixture.value("SELECT count(*) FROM $t WHERE v = 'w'")).isEqualTo(30L);
    new ReconcileOracle(spark, fixture).check(Map.of());
  }

  @Tag("long")
  @Test
  void aRepairDeletesTheOlderRowsFirst() {
    IndexFixture fixture = table("repaired", 3);
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t VALUES (17, 'again')");
    assertThatThrownBy(() -> IndexRepairer.repair(spark, fixture.names(), IndexRepairer.Mode.MEND))
        .hasMessageContaining("keys that occur more than once")
        .hasMessageContaining("then run 'rowmark index repair' again");
    RepairReport report =
        IndexRepairer.repair(
            spark, keepNewest(fixture, PairCommit.ORDERED), IndexRepairer.Mode.MEND);
    assertThat(report.duplicates().rows()).isEqualTo(1);
    assertThat(only(fixture, 17)).isEqualTo("again");
    new ReconcileOracle(spark, fixture).check(Map.of());
  }

  @Test
  void aRunThatDiesBetweenTableAndIndexIsGoneOnWith() {
    IndexFixture fixture = table("torn", 3);
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("INSERT INTO $t VALUES (17, 'again')");
    PairCommit dying =
        (iceberg, data, index) -> {
          TableSwap.once(
              data.staged(), () -> iceberg.loadTable(data.name()), SnapshotRef.MAIN_BRANCH);
          throw new IllegalStateException("killed");
        };
    assertThatThrownBy(() -> IndexReconciler.reconcile(spark, keepNewest(fixture, dying)))
        .isInstanceOfSatisfying(
            RowmarkException.class,
            e -> assertThat(e.category()).isEqualTo(Category.UNKNOWN_COMMIT));
    assertThat(only(fixture, 17)).isEqualTo("again");
    assertThat(reconcile(fixture, 1_000_000).duplicates().isEmpty()).isTrue();
  }
}
