package io.rowmark.integration.maintain;

import static io.rowmark.integration.maintain.MaintainRun.INDEX;
import static io.rowmark.integration.maintain.MaintainRun.THINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.integration.maintain.MaintainRun.Store;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.StepReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maintenance from the command line, between batches, beside them, and cut off. */
class TestMaintain {
  private static final String EXPIRE_ALL = "maintain.expire.older-than=0 s";

  /** Three batches: files of 30, 20 and 10 rows; rows of the first are updated and deleted. */
  private static void fill(MaintainRun run) {
    for (int id = 0; id < 30; id++) {
      run.put(id, "a" + id % 2, id);
    }
    run.batch();
    for (int id = 20; id < 40; id++) {
      run.put(id, "a" + id % 2, id * 10);
    }
    run.remove(1).remove(2);
    run.batch();
    for (int id = 40; id < 50; id++) {
      run.put(id, "a" + id % 2, id);
    }
    run.batch();
  }

  @Test
  void filesBecomeOneAndTheNextBatchNeedsNoReconcile(@TempDir Path folder) throws IOException {
    try (MaintainRun run = new MaintainRun(folder, Store.ATOMIC_REST, 3, "")) {
      fill(run);
      List<Row> before = run.rows(3);
      assertThat(run.dataFiles(THINGS)).isEqualTo(3);
      assertThat(run.deleteFiles(THINGS)).isEqualTo(1);
      assertThat(run.dataFiles(INDEX)).isEqualTo(3);

      String planned = run.run("maintain", "--only", "files,index", "--dry-run");
      assertThat(planned)
          .contains("to do      rewrite 3 data files with 12 dead rows")
          .containsPattern("rewrite 3 data files .* bytes, to 1\\n")
          .containsPattern("merge 3 files of shop.things__rowmark_index, .* bytes, to 1\\n")
          .containsPattern("now        shop.things: a scan opens 4 files .* 1.25 for each live one")
          .containsPattern(
              "predicted  shop.things: a scan opens 1 files .* 1.00 for each live one");
      assertThat(run.dataFiles(THINGS)).as("after a dry run").isEqualTo(3);

      String done = run.run("maintain", "--only", "files,index");

      assertThat(done)
          .containsPattern("rewrote 3 data files to 1, .*; 48 rows moved, 1 delete files gone")
          .containsPattern("merged 2 files of shop.things__rowmark_index to 1;")
          .contains("nothing is left to do.");
      assertThat(run.dataFiles(THINGS)).isEqualTo(1);
      assertThat(run.deleteFiles(THINGS)).isZero();
      assertThat(run.dataFiles(INDEX)).isEqualTo(1);
      assertThat(run.rows(3)).isEqualTo(before);
      assertThat(run.table(THINGS).currentSnapshot().operation()).isEqualTo("replace");
      assertThat(run.freshness()).isInstanceOf(Freshness.Fresh.class);

      run.put(0, "new", 1).remove(21).put(100, "a", 1).late(5).late(1);
      assertThat(run.batch()).doesNotContain("reconciled");
      run.checkIndex();
      assertThat(run.sql("SELECT * FROM $i WHERE data_file IS NULL")).hasSize(3);
      assertThat(run.run("maintain", "--only", "index", "--set", "index.tombstone-retention=1 ms"))
          .contains("shop.things__rowmark_index forgot 3 deleted keys");
      assertThat(run.sql("SELECT * FROM $i WHERE data_file IS NULL")).isEmpty();
      assertThat(run.freshness()).isInstanceOf(Freshness.Fresh.class);
      whatTheIndexCoversStays(run);
    }
  }

  private static void whatTheIndexCoversStays(MaintainRun run) {
    run.sql("DELETE FROM $t WHERE id = 30");
    assertThat(run.run("maintain", "--only", "expire", "--dry-run", "--set", EXPIRE_ALL))
        .containsPattern(
            "to expire  shop.things: 4 of 6 snapshots; snapshot %d stays: the index covers it"
                .formatted(covered(run)));
  }

  /** A batch makes the commit fail; the second try takes what stands, and is killed. */
  @Test
  void aBatchInBetweenLosesNothingAndWhatEndsBetweenTwoCommitsIsHealed(@TempDir Path folder)
      throws IOException {
    try (MaintainRun run =
        new MaintainRun(folder, Store.ORDERED_HADOOP, 2, "partition-by = [area]")) {
      fill(run);
      boolean[] met = new boolean[1];

      assertThatThrownBy(
              () ->
                  MaintainByHand.files(
                      run,
                      point -> {
                        if (point == Checkpoint.BATCH_STAGED && !met[0]) {
                          met[0] = true;
                          // rows of one partition: the files of the other one stand
                          run.put(0, "a0", 777).remove(4).put(200, "a0", 1).batch();
                        } else if (point == Checkpoint.DATA_COMMITTED) {
                          throw new AssertionError("killed");
                        }
                      }))
          .hasMessage("killed");

      run.checkRows();
      assertThat(run.dataFiles(THINGS)).as("1 of 3 in one partition, 4 in the other").isEqualTo(5);
      assertThat(run.freshness()).isInstanceOf(Freshness.Stale.class);
      run.put(1, "a1", 1).remove(21).late(5);
      assertThat(run.batch()).contains("reconciled index");
      run.checkIndex();
    }
  }

  @Test
  @Tag("long")
  void whatEndsBetweenTwoCommitsIsHealedByTheNextBatch(@TempDir Path folder) throws IOException {
    try (MaintainRun run =
        new MaintainRun(folder, Store.ORDERED_HADOOP, 2, "partition-by = [area]")) {
      fill(run);
      List<Row> before = run.rows(2);
      assertThat(run.dataFiles(THINGS)).isEqualTo(6);
      assertThat(run.deleteFiles(THINGS)).isEqualTo(2);

      assertThatThrownBy(
              () ->
                  MaintainByHand.files(
                      run,
                      point -> {
                        if (point == Checkpoint.DATA_COMMITTED) {
                          throw new AssertionError("killed");
                        }
                      }))
          .hasMessage("killed");

      assertThat(run.rows(2)).isEqualTo(before);
      assertThat(run.dataFiles(THINGS)).isEqualTo(2);
      assertThat(run.deleteFiles(THINGS)).as("dangling ones too").isZero();
      assertThat(run.freshness()).isInstanceOf(Freshness.Stale.class);
      run.put(0, "a1", 1).remove(21).put(100, "a1", 1).late(5);
      assertThat(run.batch()).contains("reconciled index");
      run.checkIndex();
    }
  }

  @Test
  @Tag("long")
  void aBatchBetweenPlanAndCommitLosesNothing(@TempDir Path folder) throws IOException {
    try (MaintainRun run = new MaintainRun(folder, Store.ATOMIC_REST, 3, "partition-by = [area]")) {
      fill(run);
      boolean[] met = new boolean[1];

      MaintainReport report =
          MaintainByHand.files(
              run,
              point -> {
                if (point == Checkpoint.BATCH_STAGED && !met[0]) {
                  met[0] = true;
                  // two rows of one partition: the other one's files stand
                  run.put(0, "a0", 777).remove(4).put(200, "a0", 1).batch();
                }
              });

      assertThat(met[0]).isTrue();
      run.checkRows();
      assertThat(report.steps().stream().map(StepReport::filesIn)).startsWith(3L);
      assertThat(report.steps().stream().map(StepReport::attempts)).containsExactly(2, 1);
      assertThat(run.deleteFiles(THINGS)).isZero();
      assertThat(run.freshness()).isInstanceOf(Freshness.Fresh.class);
      run.checkIndex();
    }
  }

  @Test
  @Tag("long")
  void expiryStopsAtWhatTheIndexCoversAndOrphansAreListedOnly(@TempDir Path folder)
      throws IOException {
    try (MaintainRun run = new MaintainRun(folder, Store.ATOMIC_REST, 3, "")) {
      fill(run);
      run.sql("DELETE FROM $t WHERE id = 30");
      run.forget(30);
      long covered = covered(run);
      Path stray = stray(run);

      String done = run.run("maintain", "--only", "expire,orphans", "--set", EXPIRE_ALL);

      assertThat(done)
          .contains("snapshot %d stays: the index covers it".formatted(covered))
          .containsPattern("expired 2 snapshots of shop.things;")
          .contains("shop.things: 1 files that no snapshot names")
          .contains(stray.getFileName().toString());
      assertThat(stray).exists();
      assertThat(run.table(THINGS).snapshot(covered)).isNotNull();
      assertThat(run.snapshots(THINGS)).isEqualTo(2);
      run.checkRows();
      run.put(0, "a", 1);
      assertThat(run.batch()).contains("reconciled index");
      run.checkIndex();

      run.run("maintain", "--only", "index,ledger,expire", "--set", EXPIRE_ALL);
      assertThat(run.snapshots(THINGS)).isEqualTo(1);
      run.put(7, "a", 1).late(3);
      assertThat(run.batch()).doesNotContain("reconciled").doesNotContain("built index");
      run.checkIndex();
      assertThat(run.run("maintain", "--only", "files", "--table", "shop.things", "--json"))
          .contains("\"nothingLeft\" : true", "\"byteAmplification\" : 1.0");
    }
  }

  private static long covered(MaintainRun run) {
    IndexCoverage claim = IndexTables.state(run.table(INDEX)).coverage().orElseThrow();
    assertThat(claim.dataSnapshotId())
        .isNotEqualTo(run.table(THINGS).currentSnapshot().snapshotId());
    return claim.dataSnapshotId();
  }

  /** A file that a writer left behind long ago. */
  private static Path stray(MaintainRun run) throws IOException {
    String location = run.table(THINGS).location();
    Path root = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
    Path stray = Files.writeString(root.resolve("data/left-behind.parquet"), "x");
    Files.setLastModifiedTime(stray, FileTime.from(Instant.now().minus(Duration.ofDays(10))));
    return stray;
  }
}
