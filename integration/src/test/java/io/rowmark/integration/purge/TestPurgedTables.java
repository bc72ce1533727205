package io.rowmark.integration.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.index.testing.DeleteFileKinds;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.StreamingWriter;
import io.rowmark.integration.command.CommandRun;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.purge.PurgeReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.SnapshotRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Purges of tables of every mode, of tables that others write, and of random histories. */
@Tag("long")
class TestPurgedTables {
  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  @TempDir private Path folder;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  private PurgeRun run(String namespace, String settings) throws IOException {
    return PurgeRun.atomic(folder, namespace, embedded).configure("key = [mail], " + settings);
  }

  private static void fill(PurgeRun run) throws IOException {
    for (int i = 0; i < 10; i++) {
      run.put("c", "m" + i, "town" + i % 2, i);
    }
    run.batch();
    run.put("u", "m1", "town0", 10).put("u", "m2", "town1", 20).remove("m3", "town1");
    run.batch();
  }

  private static void proveAfterExpiry(PurgeRun run, Path keys) {
    assertThat(run.prove(keys).code()).as("before expiry").isEqualTo(5);
    run.expireBoth();
    CommandRun proof = run.prove(keys);
    assertThat(proof.code()).as(proof.said()).isZero();
  }

  @Test
  void allVersionsOfAHistoryGo() throws IOException {
    PurgeRun run = run("history", "mode = history, delete-format = deletion-vector");
    fill(run);
    run.put("u", "m1", "town1", 11).put("u", "m4", "town1", 40);
    run.batch();
    Path keys = run.keys("keys.csv", "mail", "m1", "m3");
    String versions =
        "SELECT mail, amount, valid_from, valid_to, _row_id FROM $t WHERE mail NOT IN ('m1', 'm3') ORDER BY ALL";
    List<?> before = run.sql(versions);
    assertThat(run.sql("SELECT 1 FROM $t WHERE mail = 'm1'")).hasSize(3);

    assertThat(run.purge(keys)).contains("4 rows, and ");

    assertThat(run.sql("SELECT 1 FROM $t WHERE mail IN ('m1', 'm3')")).isEmpty();
    assertThat(run.sql(versions)).isEqualTo(before);
    assertThat(PurgeRun.raw(run.data(), "m1", "m3")).isZero();
    assertThat(PurgeRun.raw(run.index(), "m1", "m3")).isZero();
    run.run("index", "verify", "--table", run.table());
    proveAfterExpiry(run, keys);
    run.put("u", "m4", "town0", 41).put("u", "m5", "town0", 51);
    run.batch();
    run.run("index", "verify", "--table", run.table());
    assertThat(run.sql("SELECT 1 FROM $t WHERE mail = 'm4'")).hasSize(3);
  }

  @Test
  void flaggedRowsOfSoftDeletesGo() throws IOException {
    PurgeRun run = run("soft", "deletes = soft");
    fill(run);
    Path keys = run.keys("keys.csv", "mail", "m1", "m3");
    assertThat(run.sql("SELECT 1 FROM $t WHERE is_deleted")).hasSize(1);
    run.purge(keys);
    run.forget("m1").check();
    assertThat(PurgeRun.raw(run.data(), "m1", "m3")).isZero();
    proveAfterExpiry(run, keys);
  }

  @Test
  void equalityDeletesAreWrittenAgainWithoutTheKeysAndHideWhatTheyHid() throws IOException {
    PurgeRun run = run("equality", "delete-format = equality");
    fill(run);
    Path keys = run.keys("keys.csv", "mail", "m1", "m3");

    assertThat(run.purge(keys)).contains("there is no index", "in deletes     1 equality delete");

    String rows = "SELECT mail, town, amount FROM $t ORDER BY mail";
    assertThat(run.sql(rows).stream().map(Object::toString))
        .containsExactly(
            "[m0,town0,0]",
            "[m2,town1,20]",
            "[m4,town0,4]",
            "[m5,town1,5]",
            "[m6,town0,6]",
            "[m7,town1,7]",
            "[m8,town0,8]",
            "[m9,town1,9]");
    assertThat(PurgeRun.raw(run.data(), "m1", "m3")).isZero();
    assertThat(run.prove(keys).code()).isEqualTo(5);
    PurgeRun.expire(run.data());
    assertThat(run.prove(keys).code()).isZero();
    // what is left of the deletes must not reach what came after them
    run.put("u", "m2", "town0", 21);
    run.batch();
    assertThat(run.sql("SELECT town, amount FROM $t WHERE mail = 'm2'").toString())
        .isEqualTo("[[town0,21]]");
  }

  @Test
  void deletesOfOthersAreAppliedAndTheirValuesGo() throws IOException {
    PurgeRun run = run("foreign", "delete-format = deletion-vector");
    fill(run);
    StreamingWriter writer =
        new StreamingWriter(run.data(), SnapshotRef.MAIN_BRANCH, FileFormat.PARQUET);
    writer.begin().deleteGlobal(List.of(Map.of("mail", "m4"), Map.of("mail", "m5"))).commit();
    writer.begin().rows(List.of(Map.of("mail", "m5", "town", "town9", "amount", 5L))).commit();
    run.forget("m4").put("c", "m5", "town9", 5).dropLines();
    Path keys = run.keys("keys.csv", "mail", "m1", "m4");
    assertThat(run.purge(keys, "--dry-run")).contains("the index is behind");

    assertThat(run.purge(keys)).contains("reconciled index", "1 equality delete files");

    run.forget("m1").check();
    assertThat(PurgeRun.raw(run.data(), "m1", "m4")).isZero();
    assertThat(PurgeRun.raw(run.index(), "m1", "m4")).isZero();
    assertThat(DeleteFileKinds.of(run.data(), run.data().currentSnapshot()))
        .as("the delete of m5 is there yet")
        .containsEntry(DeleteFormat.EQUALITY, 1);
    proveAfterExpiry(run, keys);
  }

  @Test
  void deletesByAPartOfTheKeyAreRefused() throws IOException {
    PurgeRun run =
        PurgeRun.atomic(folder, "part", embedded)
            .configure("key = [mail, town], delete-format = deletion-vector");
    fill(run);
    new StreamingWriter(run.data(), SnapshotRef.MAIN_BRANCH, FileFormat.PARQUET)
        .begin()
        .deleteGlobal(List.of(Map.of("mail", "m4")))
        .commit();
    Path keys = run.keys("keys.csv", "mail,town", "m1,town1");
    CommandRun refused = run.command("purge", "--table", run.table(), "--keys", keys.toString());
    assertThat(refused.code()).isEqualTo(5);
    assertThat(refused.err()).contains("by a part of its key", "Run 'rowmark convert'");
    run.run("convert", "--table", run.table());
    assertThat(run.purge(keys)).contains("purged in");
    assertThat(run.sql("SELECT 1 FROM $t WHERE mail = 'm1' AND town = 'town1'")).isEmpty();
    run.run("index", "verify", "--table", run.table());
  }

  @Test
  void aBranchKeepsTheKeysUntilItGoes() throws IOException {
    PurgeRun run = run("branch", "delete-format = deletion-vector");
    fill(run);
    run.sql("ALTER TABLE $t CREATE BRANCH audit");
    Path keys = run.keys("keys.csv", "mail", "m1");
    run.purge(keys);
    run.expireBoth();
    CommandRun kept = run.prove(keys);
    assertThat(kept.code()).isEqualTo(5);
    assertThat(kept.out()).contains("; audit");
    run.sql("ALTER TABLE $t DROP BRANCH audit");
    run.expireBoth();
    assertThat(run.prove(keys).code()).isZero();
    run.forget("m1").check();
  }

  @Test
  void aPurgeWhoseWayAnotherCommitCrossesIsDoneAgain() throws IOException {
    PurgeRun run = run("crossed", "delete-format = deletion-vector");
    fill(run);
    Path keys = run.keys("keys.csv", "mail", "m1");
    boolean[] crossed = new boolean[1];
    PurgeReport report =
        run.purger(
                new PurgeRun.At(
                    Checkpoint.BATCH_STAGED,
                    () -> {
                      if (!crossed[0]) {
                        crossed[0] = true;
                        run.sql("UPDATE $t SET amount = 99 WHERE mail = 'm7'");
                      }
                    }))
            .purge(keys.toString());
    assertThat(report.done()).isNotNull();
    assertThat(report.done().attempts()).isEqualTo(2);
    run.put("u", "m7", "town1", 99).dropLines();
    run.forget("m1").check();
    assertThat(PurgeRun.raw(run.data(), "m1")).isZero();
    List<?> orphans = run.orphans();
    assertThat(orphans).as("files of the refused attempt").isEmpty();
  }

  @Test
  void anotherSpecAndFilesThatRollAreWrittenAsTheyAre() throws IOException {
    PurgeRun run =
        run(
            "specs",
            "delete-format = position, partition-by = [town], properties { \"write.target-file-size-bytes\" = 1 }");
    for (int i = 0; i < 5000; i++) {
      run.put("c", "m%04d".formatted(i), "town" + i % 2, i);
    }
    run.batch();
    run.sql("ALTER TABLE $t DROP PARTITION FIELD town");
    run.put("u", "m0001", "town1", 10).put("u", "m0002", "town1", 20).remove("m3003", "town1");
    run.batch();
    run.sql("ALTER TABLE $t ADD COLUMN note STRING");
    run.sql("ALTER TABLE $t WRITE ORDERED BY amount");
    Path keys = run.keys("keys.csv", "mail", "m0001", "m3003", "m0777", "m4999");
    run.purge(keys);
    run.forget("m0001", "m0777", "m4999").check();
    assertThat(PurgeRun.raw(run.data(), "m0001", "m3003", "m0777", "m4999")).isZero();
    assertThat(run.sql("SELECT DISTINCT spec_id FROM $t.files")).hasSize(2);
    proveAfterExpiry(run, keys);
    run.put("u", "m4001", "town0", 1).remove("m2002", "town0");
    run.batch();
    run.check();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomHistoriesStayAsAMapSays(long seed) throws IOException {
    Random random = new Random(seed);
    String format = seed % 2 == 0 ? "deletion-vector" : "position";
    PurgeRun run = run("random" + seed, "delete-format = " + format);
    List<String> all = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 30; i++) {
        String mail = "m" + random.nextInt(60);
        if (random.nextInt(4) == 0) {
          run.remove(mail, "town");
        } else {
          run.put("u", mail, "town" + random.nextInt(3), random.nextInt(100));
        }
      }
      run.batch();
      if (round % 2 == 1) {
        run.sql(
            "CALL %s.system.rewrite_data_files(table => '%s', options => map('rewrite-all', 'true'))"
                .formatted(run.catalog().name(), run.table()));
      }
      String[] purged = new String[5];
      List<String> lines = new ArrayList<>(List.of("mail"));
      for (int i = 0; i < purged.length; i++) {
        purged[i] = "m" + random.nextInt(60);
        lines.add(purged[i]);
      }
      all.addAll(List.of(purged));
      Path keys = run.keys("keys%d.csv".formatted(round), lines.toArray(String[]::new));
      run.purge(keys);
      run.forget(purged).check();
      assertThat(PurgeRun.raw(run.data(), purged)).as("seed %d", seed).isZero();
      assertThat(PurgeRun.raw(run.index(), purged)).as("seed %d", seed).isZero();
      run.expireBoth();
      assertThat(run.prove(keys).code()).as("seed %d, round %d", seed, round).isZero();
    }
  }
}
