package io.rowmark.integration.maintain;

import static io.rowmark.integration.maintain.MaintainRun.INDEX;
import static io.rowmark.integration.maintain.MaintainRun.THINGS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.index.Freshness;
import io.rowmark.integration.maintain.MaintainRun.Store;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.maintain.MaintainTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random histories of batches, foreign deletes, changed layouts and maintenance that meets batches
 * and is killed. After each maintenance the rows are as before, ids included, and the index agrees.
 */
@Tag("long")
class TestMaintainHistories {
  private static final int ROUNDS = 9;

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}, format {1}, seed {2}")
  @CsvSource({
    "ATOMIC_REST, 3, 1",
    "ATOMIC_REST, 2, 2",
    "ORDERED_HADOOP, 3, 3",
    "ORDERED_HADOOP, 2, 4"
  })
  void rowsIdsAndIndexAreRightAfterEachStep(Store store, int format, long seed) throws IOException {
    Random random = new Random(seed);
    String layout = random.nextBoolean() ? "partition-by = [area]" : "";
    try (MaintainRun run = new MaintainRun(folder, store, format, layout)) {
      change(run, random, 60);
      run.batch();
      for (int round = 0; round < ROUNDS; round++) {
        switch (random.nextInt(6)) {
          case 0 -> {
            long id = random.nextInt(80);
            run.sql("DELETE FROM $t WHERE id = " + id);
            run.forget(id);
          }
          case 1 -> layout(run, random);
          case 2, 3 -> maintain(run, random, format);
          default -> {
            change(run, random, 1 + random.nextInt(30));
            run.batch();
          }
        }
        run.checkRows();
      }
      maintain(run, random, format);
      change(run, random, 10);
      run.late(random.nextInt(80)).batch();
      run.checkIndex();
    }
  }

  private static void change(MaintainRun run, Random random, int events) {
    for (int i = 0; i < events; i++) {
      long id = random.nextInt(80);
      if (random.nextInt(4) == 0) {
        run.remove(id);
      } else {
        run.put(id, "a" + random.nextInt(3), random.nextInt(1000));
      }
    }
  }

  private static void layout(MaintainRun run, Random random) {
    switch (random.nextInt(3)) {
      case 0 -> run.table(THINGS).replaceSortOrder().desc("amount").commit();
      case 1 -> run.sql("ALTER TABLE $t WRITE ORDERED BY bucket(4, id), area DESC");
      default -> run.sql("ALTER TABLE $t REPLACE PARTITION FIELD " + field(run));
    }
  }

  private static String field(MaintainRun run) {
    var fields = run.table(THINGS).spec().fields();
    if (fields.isEmpty()) {
      run.sql("ALTER TABLE $t ADD PARTITION FIELD bucket(2, id)");
    }
    String now = run.table(THINGS).spec().fields().get(0).name();
    return now
        + " WITH "
        + (now.startsWith("id")
            ? "truncate(1, area) AS cut" + run.table(THINGS).specs().size()
            : "bucket(3, id) AS id" + run.table(THINGS).specs().size());
  }

  private static void maintain(MaintainRun run, Random random, int format) {
    boolean kill = random.nextInt(3) == 0;
    boolean meet = random.nextInt(3) == 0;
    boolean[] met = new boolean[1];
    Checkpoint where = random.nextBoolean() ? Checkpoint.DATA_WRITTEN : Checkpoint.BATCH_STAGED;
    List<Row> before = run.rows(format);
    long maxBytes = random.nextBoolean() ? 1 : 32L << 30;
    try {
      MaintainByHand.run(
          run,
          EnumSet.of(MaintainTask.FILES, MaintainTask.INDEX),
          maxBytes,
          point -> {
            if (meet && point == where && !met[0]) {
              met[0] = true;
              change(run, random, 3);
              run.batch();
            }
            if (kill && point == Checkpoint.DATA_COMMITTED) {
              throw new AssertionError("killed");
            }
          });
      assertThat(run.freshness()).isInstanceOf(Freshness.Fresh.class);
      assertThat(run.dataFiles(INDEX)).isLessThanOrEqualTo(1);
      run.deleteFiles(THINGS);
    } catch (AssertionError e) {
      if (!"killed".equals(e.getMessage())) {
        throw e;
      }
    }
    if (!met[0]) {
      assertThat(run.rows(format)).isEqualTo(before);
    }
    run.checkRows();
    if (run.freshness() instanceof Freshness.Fresh) {
      run.checkIndex();
    }
  }
}
