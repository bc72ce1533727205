package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexCarry;
import io.rowmark.index.IndexState;
import io.rowmark.index.IndexTables;
import io.rowmark.index.reconcile.ReconcileReport.Basis;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.iceberg.Snapshot;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reconciles that are killed between two of their commits. */
@ExtendWith(LocalSpark.class)
class TestResumedReconcile {
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

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static IndexFixture eightFiles(String name, int version) throws IOException {
    IndexFixture fixture = new IndexFixture(spark, catalog, name + version, "id");
    fixture.sql(
        ("CREATE TABLE $t (id BIGINT NOT NULL, region STRING, amount INT) USING iceberg"
                + " TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='merge-on-read',"
                + " 'write.distribution-mode'='none')")
            .formatted(version));
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(4, id) */ id, 'r1', 0 FROM range(400)");
    ReconcileOracle.buildWithOrders(spark, fixture);
    fixture.sql("INSERT OVERWRITE $t SELECT /*+ REPARTITION(8) */ id + 2, 'r2', 1 FROM range(400)");
    return fixture;
  }

  /** Reads two of the eight files for each commit, and dies after some of them. */
  private static void killedAfter(IndexFixture fixture, int commits) {
    assertThatThrownBy(
            () ->
                IndexReconciler.reconcile(
                    spark,
                    fixture.names(),
                    new ReconcileLimits(100),
                    step -> {
                      if (step.number() == commits) {
                        throw new Killed();
                      }
                    }))
        .isInstanceOf(Killed.class);
  }

  private static ReconcileReport rest(IndexFixture fixture, Map<String, String> orders) {
    Reconciliation outcome = IndexReconciler.reconcile(spark, fixture.names());
    assertThat(outcome).isInstanceOf(CaughtUp.class);
    new ReconcileOracle(spark, fixture).check(orders);
    return ((CaughtUp) outcome).report();
  }

  private static Map<String, String> orders(IndexFixture fixture) {
    return new ReconcileOracle(spark, fixture).orders();
  }

  private static Set<String> liveFiles(IndexFixture fixture) {
    Set<String> files = new TreeSet<>();
    fixture
        .sql("SELECT file_path FROM " + fixture.names().sparkData() + ".data_files")
        .forEach(row -> files.add(row.getString(0)));
    return files;
  }

  @Test
  void theNextRunReadsOnlyTheFilesThatAreLeft() throws IOException {
    IndexFixture fixture = eightFiles("killed", 3);
    Map<String, String> orders = orders(fixture);
    List<String> files = List.copyOf(liveFiles(fixture));
    assertThat(files).as("control").hasSize(8);
    killedAfter(fixture, 2);

    IndexState state = IndexTables.state(fixture.index());
    assertThat(state.coverage()).as("it covers nothing").isEmpty();
    assertThat(state.partial().map(PartialCoverage::rounds).orElseThrow())
        .containsExactly(
            new PartialCoverage.Round(fixture.data().currentSnapshot().snapshotId(), files.get(3)));
    assertThat(
            IndexTables.freshness(
                fixture.index(), fixture.data(), fixture.names().keyOf(fixture.data())))
        .isInstanceOfSatisfying(
            Freshness.Stale.class,
            stale -> assertThat(stale.reason()).contains("brought up to date in part only"));

    CountingFileIO.forget();
    ReconcileReport report =
        ((CaughtUp) IndexReconciler.reconcile(spark, fixture.names())).report();
    Set<String> opened =
        CountingFileIO.askedUnder("/shop/" + fixture.names().data().name() + "/data/");

    assertThat(opened).isEqualTo(new TreeSet<>(files.subList(4, 8)));
    assertThat(report.filesRead()).isEqualTo(4);
    assertThat(report.basis()).isEqualTo(Basis.COVERED_SNAPSHOT);
    new ReconcileOracle(spark, fixture).check(orders);
  }

  /** The entries of the old snapshot are gone in part, so it must not be taken for covered. */
  @Test
  void aTableThatGoesBackToTheCoveredSnapshotIsNotCovered() throws IOException {
    IndexFixture fixture = eightFiles("back", 3);
    Map<String, String> orders = orders(fixture);
    Snapshot covered = fixture.data().snapshot(fixture.data().currentSnapshot().parentId());
    killedAfter(fixture, 1);
    Snapshot replaced = fixture.data().currentSnapshot();
    fixture.data().manageSnapshots().setCurrentSnapshot(covered.snapshotId()).commit();
    assertThat(
            IndexTables.freshness(
                fixture.index(), fixture.data(), fixture.names().keyOf(fixture.data())))
        .isInstanceOf(Freshness.Stale.class);
    assertThat(
            IndexCarry.over(
                fixture.names().catalog(),
                fixture.names().index(),
                fixture.data(),
                covered,
                replaced))
        .isEqualTo(IndexCarry.Outcome.BEHIND);
    rest(fixture, orders);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aTableThatMovesOnInBetween(int version) throws IOException {
    IndexFixture fixture = eightFiles("moved", version);
    Map<String, String> orders = orders(fixture);
    killedAfter(fixture, 2);
    fixture.sql("DELETE FROM $t WHERE id % 9 = 4");
    killedAfter(fixture, 1);
    ForeignOperation.call(
        fixture,
        "rewrite_data_files",
        "where => 'id < 100', options => map('rewrite-all', 'true')");
    fixture.sql("INSERT INTO $t VALUES (9000, 'x', 1)");
    rest(fixture, orders);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aTargetThatIsExpired(int version) throws IOException {
    IndexFixture fixture = eightFiles("expired", version);
    Map<String, String> orders = orders(fixture);
    killedAfter(fixture, 3);
    fixture.sql("DELETE FROM $t WHERE id % 9 = 4");
    ForeignOperation.expire(fixture);
    assertThat(rest(fixture, orders).basis()).isEqualTo(Basis.ENTRIES);
  }

  static LongStream seeds() {
    long first = Long.getLong("reconcile.seed", 20261130L);
    return LongStream.range(first, first + Integer.getInteger("reconcile.histories", 6));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("seeds")
  void anyHistoryWithAnyKills(long seed) throws IOException {
    Random random = new Random(seed);
    IndexFixture fixture = eightFiles("history" + seed + "v", 2 + random.nextInt(2));
    Map<String, String> orders = orders(fixture);
    ForeignOperation[] operations = ForeignOperation.values();
    List<String> history = new ArrayList<>();
    try {
      for (int step = 0; step < 6; step++) {
        ForeignOperation operation = operations[random.nextInt(operations.length)];
        if (operation == ForeignOperation.INDEX_ROLLED_BACK) {
          continue;
        }
        history.add(operation.name());
        operation.apply(fixture);
        if (random.nextInt(5) == 0) {
          history.add("expiry");
          ForeignOperation.expire(fixture);
        }
        int kill = 1 + random.nextInt(3);
        long rows = 1 + random.nextInt(120);
        history.add("reconcile by %d rows, killed after %d".formatted(rows, kill));
        try {
          IndexReconciler.reconcile(
              spark,
              fixture.names(),
              new ReconcileLimits(rows),
              one -> {
                if (one.number() == kill) {
                  throw new Killed();
                }
              });
        } catch (Killed e) {
          history.add("was killed");
        }
      }
      IndexReconciler.reconcile(spark, fixture.names());
      new ReconcileOracle(spark, fixture).check(orders);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("Seed %d failed after %s".formatted(seed, history), e);
    }
  }
}
