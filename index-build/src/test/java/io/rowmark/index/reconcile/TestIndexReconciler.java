package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.reconcile.ReconcileReport.Basis;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.Current;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LocalSpark.class)
class TestIndexReconciler {
  private static final Set<ForeignOperation> FROM_VERSION_2 =
      Set.of(
          ForeignOperation.UPGRADE,
          ForeignOperation.REWRITE_OF_POSITION_DELETES,
          ForeignOperation.UPGRADE_AND_REWRITE_OF_POSITION_DELETES);

  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  private static IndexFixture orders(String name, int version) throws IOException {
    IndexFixture fixture = new IndexFixture(spark, catalog, name, "id");
    fixture.sql(
        "CREATE TABLE $t (id BIGINT NOT NULL, region STRING, amount INT) USING iceberg TBLPROPERTIES"
            + " ('format-version'='%d', 'write.delete.mode'='merge-on-read')".formatted(version));
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(4, id) */ id, concat('r', id % 3), 0 FROM range(200)");
    // two inserts leave two manifests, so that a rewrite of manifests has something to do
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(2, id) */ id, concat('r', id % 3), 0 FROM range(200, 300)");
    fixture.sql("DELETE FROM $t WHERE id % 50 = 7");
    ReconcileOracle.buildWithOrders(spark, fixture);
    return fixture;
  }

  /** All, or those that match the system property {@code reconcile.operations}. */
  static Stream<Arguments> operations() {
    String chosen = System.getProperty("reconcile.operations", ".*");
    return Stream.of(ForeignOperation.values())
        .filter(operation -> operation.name().matches(chosen))
        .flatMap(
            operation ->
                FROM_VERSION_2.contains(operation)
                    ? Stream.of(Arguments.of(operation, 2))
                    : Stream.of(Arguments.of(operation, 2), Arguments.of(operation, 3)));
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("operations")
  void theIndexIsWhatABuildWouldMake(ForeignOperation operation, int version) throws IOException {
    IndexFixture fixture = orders(operation.name().toLowerCase(Locale.ROOT) + version, version);
    ReconcileOracle oracle = new ReconcileOracle(spark, fixture);
    applied(operation, fixture);
    assertThat(oracle.reconcile())
        .isInstanceOfSatisfying(
            CaughtUp.class,
            done -> assertThat(done.report().basis()).isEqualTo(Basis.COVERED_SNAPSHOT));
    assertThat(IndexReconciler.reconcile(spark, fixture.names())).isInstanceOf(Current.class);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("operations")
  void theIndexIsWhatABuildWouldMakeWhenTheCoveredSnapshotIsGone(
      ForeignOperation operation, int version) throws IOException {
    IndexFixture fixture =
        orders("expired_" + operation.name().toLowerCase(Locale.ROOT) + version, version);
    ReconcileOracle oracle = new ReconcileOracle(spark, fixture);
    applied(operation, fixture);
    ForeignOperation.expire(fixture);
    assertThat(oracle.reconcile()).isInstanceOf(CaughtUp.class);
  }

  /** Iceberg rewrites no deletion vectors: there is nothing for the index to follow. */
  @Test
  void aRewriteOfDeletionVectorsIsNoChange() throws IOException {
    IndexFixture fixture = orders("vectors", 3);
    long before = fixture.data().currentSnapshot().snapshotId();
    ForeignOperation.REWRITE_OF_POSITION_DELETES.apply(fixture);
    assertThat(fixture.data().currentSnapshot().snapshotId()).isEqualTo(before);
    assertThat(new ReconcileOracle(spark, fixture).reconcile()).isInstanceOf(Current.class);
  }

  /** An operation that finds nothing to do would prove nothing. */
  private static void applied(ForeignOperation operation, IndexFixture fixture) {
    long before = fixture.data().currentSnapshot().snapshotId();
    operation.apply(fixture);
    assertThat(fixture.data().currentSnapshot().snapshotId())
        .as("snapshot of the table after %s", operation)
        .isNotEqualTo(before);
  }

  @Test
  void expiryAloneChangesNothing() throws IOException {
    IndexFixture fixture = orders("expiry", 3);
    ForeignOperation.expire(fixture);
    assertThat(new ReconcileOracle(spark, fixture).reconcile()).isInstanceOf(Current.class);
  }
}
