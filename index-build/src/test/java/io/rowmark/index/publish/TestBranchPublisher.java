package io.rowmark.index.publish;

import static io.rowmark.index.publish.TwoBranches.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.IndexAssertions;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestBranchPublisher {
  private static final SparkSession SPARK = LocalSpark.session();

  @TempDir Path folder;
  private IndexFixture table;
  private TwoBranches two;

  @BeforeEach
  void open(TestInfo test) {
    table =
        new IndexFixture(
            SPARK,
            LocalSpark.hadoopCatalog(folder),
            test.getTestMethod().orElseThrow().getName(),
            "id");
    two = new TwoBranches(table);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void mainShowsTheSameDataFilesWithTheSameRowsHiddenByPosition(int version) throws IOException {
    two.create(version);
    upserts();
    Table data = two.data();
    assertThat(DeleteFileKinds.of(data, data.snapshot("staging")))
        .isEqualTo(Map.of(DeleteFormat.EQUALITY, 4));
    assertThat(data.currentSnapshot()).as("main before").isNull();

    List<PublishReport> run = two.publish();

    two.assertShown();
    assertThat(two.main()).hasSize(5);
    data = two.data();
    assertThat(DeleteFileKinds.rowsWithDeletesIgnored(data, data.currentSnapshot()))
        .as("rows that deletes hide")
        .isEqualTo(7);
    assertThat(DeleteFileKinds.of(data, data.currentSnapshot()))
        .isEqualTo(Map.of(DeleteFormat.positional(version), 1));
    assertThat(run).hasSize(1);
    assertThat(run.get(0).rowsHidden()).isEqualTo(2);
    assertThat(run.get(0).filesAdded()).isEqualTo(3);
    assertThat(two.publish()).as("again").isEmpty();
  }

  @Test
  void laterPublicationsLookOnlyAtWhatNewDeletesReach() throws IOException {
    two.create(3);
    upserts();
    two.publish();
    two.staging().begin().rows(List.of(row(100, "z", 1))).commit();

    PublishReport appended = two.publish().get(0);
    two.staging()
        .begin()
        .rows(List.of(row(100, "z", 2)))
        .deleteGlobal(List.of(Map.of("id", 100)))
        .commit();
    PublishReport replaced = two.publish().get(0);

    assertThat(appended.filesResolved()).isZero();
    assertThat(appended.bytesCompared()).isZero();
    assertThat(appended.comparedAll()).isNull();
    // the bounds of the other files do not hold the key
    assertThat(replaced.filesResolved()).isEqualTo(1);
    assertThat(replaced.filesRemoved()).as("its only row is dead").isEqualTo(1);
    two.assertShown();
  }

  @Test
  void eachSnapshotOrSeveralTogetherCanBeShown() throws IOException {
    two.create(2);
    upserts();
    upserts();
    assertThat(two.publish(new PublishLimits(1, 2, 3)))
        .extracting(PublishReport::sourceSnapshots)
        .containsExactly(0, 1);
    assertThat(two.publish(new PublishLimits(3, 1, 3)))
        .extracting(PublishReport::sourceSnapshots)
        .containsExactly(3);
    List<PublishReport> rest = two.publish(new PublishLimits(1, 100, 3));
    assertThat(rest).hasSize(1);
    two.assertShown();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void compactionsOfStagingAreFollowed(int version) throws IOException {
    two.create(version);
    upserts();
    two.publish();
    compactStaging();
    two.staging().begin().deleteGlobal(List.of(Map.of("name", "d"))).commit();

    PublishReport done = two.publish().get(0);

    two.assertShown();
    assertThat(done.comparedAll()).isNull();
    assertThat(done.filesRemoved()).isEqualTo(3);
    assertThat(two.main()).hasSize(4);
  }

  @Test
  void aRollbackOfStagingBringsRowsBack() throws IOException {
    two.create(3);
    upserts();
    long before = two.data().snapshot("staging").snapshotId();
    two.publish();
    List<Row> then = two.main();
    two.staging().begin().deleteGlobal(List.of(Map.of("id", 3), Map.of("id", 4))).commit();
    two.publish();
    assertThat(two.main()).hasSize(then.size() - 2);
    table.data().manageSnapshots().replaceBranch("staging", before).commit();

    PublishReport done = two.publish().get(0);

    assertThat(done.comparedAll()).contains("is not in the history of snapshot");
    assertThat(two.main()).isEqualTo(then).isEqualTo(two.rows("'staging'"));
  }

  @Test
  void whatOthersCommitToMainIsNotLostButRefused() throws IOException {
    two.create(2);
    upserts();
    two.publish();
    long published = two.data().currentSnapshot().snapshotId();
    table.sql("INSERT INTO $t VALUES (900, 'foreign', 0)");
    upserts();

    assertThatThrownBy(two::publish)
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.TABLE_STATE))
        .hasMessageContaining("Branch main of table")
        .hasMessageContaining("holds rows that did not come from branch staging")
        .hasMessageContaining(
            "Roll it back to snapshot %d, the last one that was published".formatted(published));

    table.data().manageSnapshots().rollbackTo(published).commit();
    two.publish();
    two.assertShown();
  }

  @Test
  void rewrittenManifestsOfMainAreNoChange() throws IOException {
    two.create(3);
    upserts();
    two.publish();
    upserts();
    two.publish();
    Table main = table.data();
    main.rewriteManifests().clusterBy(file -> "all").commit();
    upserts();

    PublishReport done = two.publish().get(0);

    assertThat(done.comparedAll()).isNull();
    two.assertShown();
  }

  @Test
  void aCommitToMainBetweenStageAndCommitIsNotOverrun() throws IOException {
    two.create(3);
    upserts();
    AtomicBoolean first = new AtomicBoolean(true);

    List<PublishReport> run =
        two.publish(
            new PublishLimits(0, 100, 3),
            loaded -> {
              if (first.getAndSet(false)) {
                // another run publishes the same, and the writer goes on
                two.publish();
                try {
                  two.staging().begin().rows(List.of(row(500, "late", 1))).commit();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return DeleteFormat.DELETION_VECTOR;
            });

    assertThat(run).as("the other run did it").isEmpty();
    assertThat(two.main()).hasSize(5);
    two.publish();
    two.assertShown();
    assertThat(two.main()).hasSize(6);
  }

  @Test
  void aMainThatStagingBeganWithLosesItsEqualityDeletesWithTheFirstPublication()
      throws IOException {
    two.create(2);
    table.sql(
        "INSERT INTO $t SELECT /*+ COALESCE(1) */ * FROM VALUES (1,'a',1),(2,'b',2),(3,'c',3)");
    IndexFixture.deleteEqual(table.data(), Map.of("id", 1));
    table.sql("DELETE FROM $t WHERE id = 2");
    table.data().manageSnapshots().createBranch("staging").commit();
    assertThat(DeleteFileKinds.of(table.data(), table.data().currentSnapshot()))
        .containsKeys(DeleteFormat.EQUALITY, DeleteFormat.POSITION);
    two.staging().begin().rows(List.of(row(1, "a2", 5))).commit();

    two.publish();

    two.assertShown();
    assertThat(two.main()).hasSize(2);
  }

  @Test
  void anIndexOfMainFollowsByReconciling() throws IOException {
    two.create(3);
    upserts();
    two.publish();
    IndexBuilder.build(SPARK, table.names());
    upserts();
    compactStaging();
    upserts();
    two.publish();

    IndexReconciler.reconcile(SPARK, table.names());

    IndexAssertions.assertExact(table);
  }

  @Test
  void rowIdsOfMainAreUnique() throws IOException {
    two.create(3);
    upserts();
    two.publish();
    upserts();
    compactStaging();
    upserts();
    two.publish();

    assertThat(table.value("SELECT count(DISTINCT _row_id) FROM $t"))
        .isEqualTo(table.value("SELECT count(*) FROM $t"));
    assertThat(table.value("SELECT count(*) FROM $t WHERE _row_id IS NULL")).isEqualTo(0L);
  }

  @Test
  void expiryOfBothBranchesKeepsTheFilesThatOneOfThemShows() throws IOException {
    two.create(3);
    upserts();
    two.publish();
    compactStaging();
    upserts();
    table.data().expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    List<Row> shown = two.main();
    assertThat(shown).hasSize(5);

    PublishReport done = two.publish().get(0);
    table.data().expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();

    assertThat(done.comparedAll()).contains("rolled back, replaced or expired");
    assertThat(two.main()).isEqualTo(two.rows("'staging'"));
  }

  @Test
  void branchesThatAreNotThereAreNamed() {
    two.create(3);
    table.sql("INSERT INTO $t VALUES (1, 'a', 1)");
    assertThatThrownBy(two::publish)
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageContaining("has no branch staging with a snapshot; it has [main]");
  }

  /** Writes seven rows of which five live after it, whatever was there before; ids 1 to 5. */
  private void upserts() throws IOException {
    Map<String, Object> unnamed = new HashMap<>();
    unnamed.put("name", null);
    two.staging()
        .begin()
        .rows(List.of(row(1, "a", 1), row(2, "b", 1), row(3, "c", 1)))
        .deleteGlobal(List.of(Map.of("id", 1), Map.of("id", 2), Map.of("id", 3), Map.of("id", 4)))
        .deleteGlobal(List.of(unnamed))
        .commit();
    two.staging()
        .begin()
        .rows(List.of(row(1, "a", 2), row(4, "d", 1)))
        .deleteGlobal(List.of(Map.of("id", 1)))
        .commit();
    two.staging()
        .begin()
        .rows(List.of(row(2, "b", 3), row(5, null, 3)))
        .deleteGlobal(List.of(Map.of("id", 2)))
        .commit();
  }

  private void compactStaging() {
    table.sql(
        "CALL %s.system.rewrite_data_files(table => '%s', branch => 'staging', options => map('rewrite-all','true'))"
            .formatted(table.names().sparkCatalog(), table.names().data()));
  }
}
