package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexTables;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LocalSpark.class)
class TestReconcileRefusals {
  private static Path warehouse;
  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path directory) {
    warehouse = directory;
    spark = session;
    catalog = LocalSpark.hadoopCatalog(directory);
  }

  private static IndexFixture table(String name, String idType) {
    IndexFixture fixture = new IndexFixture(spark, catalog, name, "id");
    fixture.sql(
        "CREATE TABLE $t (id %s, v STRING) USING iceberg TBLPROPERTIES ('format-version'='3', 'write.delete.mode'='merge-on-read')"
            .formatted(idType));
    fixture.sql("INSERT INTO $t SELECT CAST(id AS %s), 'v' FROM range(100)".formatted(idType));
    IndexBuilder.build(spark, fixture.names());
    return fixture;
  }

  private static Reconciliation reconcile(IndexFixture fixture) {
    return IndexReconciler.reconcile(spark, fixture.names());
  }

  private static long filesOnDisk(IndexFixture fixture) {
    Path data = warehouse.resolve("shop").resolve(fixture.names().index().name()).resolve("data");
    try (var files = Files.list(data)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void refusedWithNothingLeft(IndexFixture fixture, String... texts) {
    long before = fixture.index().currentSnapshot().snapshotId();
    long files = filesOnDisk(fixture);
    var refused = assertThatThrownBy(() -> reconcile(fixture));
    refused.isInstanceOfSatisfying(
        RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE));
    for (String text : texts) {
      refused.hasMessageContaining(text);
    }
    assertThat(fixture.index().currentSnapshot().snapshotId()).isEqualTo(before);
    assertThat(filesOnDisk(fixture)).isEqualTo(files);
  }

  @Test
  void anInsertOfAnExistingKeyIsRefusedWithBothPlaces() {
    IndexFixture fixture = table("inserted", "BIGINT");
    fixture.sql("INSERT INTO $t VALUES (17, 'again'), (500, 'new')");
    String old = (String) fixture.value("SELECT _file FROM $t WHERE id = 17 AND v = 'v'");
    String added = (String) fixture.value("SELECT _file FROM $t WHERE id = 17 AND v = 'again'");
    refusedWithNothingLeft(
        fixture,
        "Table shop.inserted has 1 keys that occur more than once (1 rows too many), for example position ",
        "of data file '" + old + "' and position ",
        "of data file '" + added + "'",
        "then run 'rowmark index reconcile' again");
  }

  @Test
  void aKeyTwiceAmongNewRowsIsRefused() {
    IndexFixture fixture = table("twice", "BIGINT");
    fixture.sql("INSERT INTO $t VALUES (500, 'a'), (500, 'b')");
    refusedWithNothingLeft(fixture, "has 1 keys that occur more than once (1 rows too many)");
  }

  @Test
  void aCompactedRowThatWasInsertedAgainIsRefused() {
    IndexFixture fixture = table("both", "BIGINT");
    fixture.sql("INSERT INTO $t VALUES (17, 'again')");
    ForeignOperation.call(fixture, "rewrite_data_files", "options => map('rewrite-all', 'true')");
    refusedWithNothingLeft(fixture, "has 1 keys that occur more than once (1 rows too many)");
  }

  @Test
  void aRowThatCameBackToLifeBesideItsSuccessorIsRefused() {
    IndexFixture fixture = table("revived", "BIGINT");
    fixture.sql("DELETE FROM $t WHERE id = 17");
    fixture.sql("INSERT INTO $t VALUES (17, 'again')");
    assertThat(reconcile(fixture)).isInstanceOf(CaughtUp.class);
    Table data = fixture.data();
    var delta = data.newRowDelta();
    try (var tasks = data.newScan().planFiles()) {
      tasks.forEach(task -> task.deletes().forEach(delta::removeDeletes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    delta.commit();
    refusedWithNothingLeft(fixture, "has 1 keys that occur more than once (1 rows too many)");
  }

  @Test
  void aNullInANewKeyIsRefused() {
    IndexFixture fixture = table("nulls", "BIGINT");
    fixture.sql("INSERT INTO $t VALUES (null, 'a'), (500, 'b')");
    refusedWithNothingLeft(
        fixture, "Table shop.nulls has 1 rows with a null in a key column, for example position ");
  }

  private static void needsRebuild(IndexFixture fixture, String reason) {
    assertThat(reconcile(fixture))
        .isInstanceOfSatisfying(
            RebuildNeeded.class, needed -> assertThat(needed.reason()).startsWith(reason));
  }

  @Test
  void noIndexNeedsABuild() {
    IndexFixture fixture = table("none", "BIGINT");
    catalog.iceberg().dropTable(fixture.names().index(), true);
    needsRebuild(fixture, "it does not exist");
    IndexTables.create(
        catalog.iceberg(),
        fixture.names().index(),
        fixture.data(),
        fixture.names().keyOf(fixture.data()));
    needsRebuild(fixture, "it was never built and the table has rows");
  }

  @Test
  void anotherTableOfThatNameNeedsABuild() {
    IndexFixture fixture = table("reborn", "BIGINT");
    fixture.sql("DROP TABLE $t PURGE");
    fixture.sql("CREATE TABLE $t (id BIGINT, v STRING) USING iceberg");
    fixture.sql("INSERT INTO $t VALUES (1, 'a')");
    needsRebuild(fixture, "it belongs to another table");
  }

  @Test
  void aWidenedKeyColumnNeedsABuild() {
    IndexFixture fixture = table("widened", "INT");
    fixture.sql("ALTER TABLE $t ALTER COLUMN id TYPE BIGINT");
    needsRebuild(fixture, "it was built for another key (1:int)");
  }

  @Test
  void anIndexThatOthersChangedNeedsABuild() {
    IndexFixture fixture = table("touched", "BIGINT");
    fixture.sql("DELETE FROM $i WHERE id = 1");
    needsRebuild(fixture, "its content was changed by something other than Rowmark");
    IndexBuilder.build(spark, fixture.names());
    fixture.sql("TRUNCATE TABLE $i");
    needsRebuild(fixture, "its content was changed by something other than Rowmark");
  }

  @Test
  void anIndexThatChangesMeanwhileIsAConflictThatLeavesNothing() throws IOException {
    IndexFixture fixture = table("raced", "BIGINT");
    KeySpec key = fixture.names().keyOf(fixture.data());
    Table index = fixture.index();
    IndexDelta delta = IndexDelta.begin(fixture.names(), index, fixture.data(), key);
    IndexCoverage coverage = IndexTables.state(index).coverage().orElseThrow();
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("id", 4711L);
    IndexFixture.append(fixture.index(), row, coverage.toSummary());
    long after = fixture.index().currentSnapshot().snapshotId();
    DataFile run = IndexFixture.writeRows(index, List.of(Map.of("id", 4712L)));
    assertThat(Path.of(java.net.URI.create(run.location()))).exists();
    assertThatThrownBy(() -> delta.commit(List.of(run), List.of(), coverage.toSummary()))
        .isInstanceOfSatisfying(
            RowmarkException.class,
            e -> {
              assertThat(e.category()).isEqualTo(Category.CONFLICT);
              assertThat(e.retryHelps()).isTrue();
            })
        .hasMessageStartingWith(
            "Another writer changed the index shop.raced__rowmark_index while it was reconciled");
    assertThat(Path.of(java.net.URI.create(run.location()))).doesNotExist();
    assertThat(fixture.index().currentSnapshot().snapshotId()).isEqualTo(after);
  }
}
