package io.rowmark.index.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of foreign operations, reconciled in between. {@code -Dreconcile.histories=N}
 * runs more of them, {@code -Dreconcile.seed=S} begins with a seed that failed.
 */
@ExtendWith(LocalSpark.class)
class TestReconcileHistories {
  private static final int STEPS = 7;

  private static LocalCatalog catalog;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session, @TempDir Path warehouse) {
    spark = session;
    catalog = LocalSpark.hadoopCatalog(warehouse);
  }

  static LongStream seeds() {
    long first = Long.getLong("reconcile.seed", 20261130L);
    return LongStream.range(first, first + Integer.getInteger("reconcile.histories", 2));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theIndexIsWhatABuildWouldMakeAfterAnyHistory(long seed) throws IOException {
    Random random = new Random(seed);
    IndexFixture fixture = new IndexFixture(spark, catalog, "history" + seed, "id");
    fixture.sql(
        ("CREATE TABLE $t (id BIGINT NOT NULL, region STRING, amount INT) USING iceberg TBLPROPERTIES"
                + " ('format-version'='%d', 'write.delete.mode'='merge-on-read')")
            .formatted(2 + random.nextInt(2)));
    fixture.sql(
        "INSERT INTO $t SELECT /*+ REPARTITION_BY_RANGE(4, id) */ id, concat('r', id % 3), 0 FROM range(300)");
    ReconcileOracle.buildWithOrders(spark, fixture);
    ReconcileOracle oracle = new ReconcileOracle(spark, fixture);
    List<String> history = new ArrayList<>();
    ForeignOperation[] operations = ForeignOperation.values();
    try {
      for (int step = 0; step < STEPS; step++) {
        ForeignOperation operation = operations[random.nextInt(operations.length)];
        history.add(operation.name());
        operation.apply(fixture);
        if (random.nextInt(4) == 0) {
          history.add("expiry");
          ForeignOperation.expire(fixture);
        }
        if (random.nextInt(2) == 0 || step == STEPS - 1) {
          history.add("reconcile");
          assertThat(oracle.reconcile()).isNotInstanceOf(Reconciliation.RebuildNeeded.class);
        }
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("Seed %d failed after %s".formatted(seed, history), e);
    }
  }
}
