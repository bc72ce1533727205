package io.rowmark.integration.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.integration.command.CommandRun;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.purge.KeyPurger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys are purged from the command line, and it is proven that they are gone. */
class TestPurge {
  private static final String PLAIN =
      "properties { \"write.parquet.compression-codec\" = uncompressed }";

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

  private static String mail(int number) {
    return "person%03d@example.org".formatted(number);
  }

  /** Forty people, of whom some move and some leave, so that their old rows lie dead in files. */
  private static void fill(PurgeRun run) throws IOException {
    for (int i = 0; i < 40; i++) {
      run.put("c", mail(i), "town" + i % 2, i);
    }
    run.batch();
    run.put("u", mail(3), "town1", 300).put("u", mail(10), "town0", 1000);
    run.remove(mail(5), "town1").put("c", mail(50), "town0", 50);
    run.batch();
  }

  @Test
  void purgedKeysAreInNoLiveFileAndAfterExpiryInNone() throws IOException {
    PurgeRun run =
        PurgeRun.atomic(folder, "erased", embedded)
            .configure("key = [mail], delete-format = deletion-vector, " + PLAIN);
    fill(run);
    run.check();
    Path keys = run.keys("keys.csv", "mail", mail(3), mail(5), "nobody@example.org", mail(3));
    String[] purged = {mail(3), mail(5)};
    assertThat(PurgeRun.raw(run.data(), purged)).as("control: rows, dead ones too").isEqualTo(3);
    assertThat(PurgeRun.raw(run.index(), purged)).as("control: entries").isGreaterThan(2);
    assertThat(PurgeRun.holds(run.data(), mail(5))).as("control: bytes").isTrue();
    String lineage =
        "SELECT mail, _row_id, _last_updated_sequence_number FROM $t WHERE mail <> '%s' ORDER BY 1"
            .formatted(mail(3));
    List<Row> before = run.sql(lineage);
    long snapshot = run.data().currentSnapshot().snapshotId();

    String planned = run.purge(keys, "--dry-run");
    assertThat(planned)
        .contains(
            "Table erased.people, 3 keys", "1 rows, and 2 deleted ones", "nothing was changed");
    assertThat(run.data().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    String said = run.purge(keys);

    assertThat(said)
        .contains("1 entries, 1 of deleted keys", "atomic: snapshot", "still retained by snapshots")
        .contains("landed files: ", "then run the same with --prove.");
    run.forget(purged).check();
    assertThat(run.sql(lineage)).as("ids and last changes of other rows").isEqualTo(before);
    assertThat(PurgeRun.raw(run.data(), purged)).isZero();
    assertThat(PurgeRun.raw(run.index(), purged)).isZero();
    assertThat(PurgeRun.holds(run.data(), mail(5))).isFalse();
    // entries of positional deletes that were taken out hold no values of columns
    String formerEntries = ".entries WHERE status = 2 AND data_file.content = 0";
    assertThat(run.sql("SELECT 1 FROM $t" + formerEntries)).isEmpty();
    assertThat(run.sql("SELECT 1 FROM $i" + formerEntries)).isEmpty();
    assertThat(said).doesNotContain("person").doesNotContain("nobody@");

    CommandRun early = run.prove(keys);
    assertThat(early.code()).as(early.said()).isEqualTo(5);
    assertThat(early.out())
        .contains("still retained by snapshot")
        .doesNotContain("live, and named");
    assertThat(early.err()).contains("It is not proven that the keys are gone", "0 of them live");
    run.expireBoth();
    assertThat(run.prove(keys).out())
        .contains("no file that a snapshot names holds one of the keys");
    assertThat(run.purge(keys, "--json")).contains("\"done\" : null", "\"retained\" : [ ]");

    // rows that were moved are found by their new place; a late event brings a purged key back
    run.put("u", mail(4), "town0", 4000).remove(mail(7), "town1");
    run.batch();
    run.at(500).put("u", mail(5), "town1", 5);
    run.batch();
    run.check();
  }

  @Test
  void aPurgeThatDiesBetweenItsCommitsIsEndedByTheNext() throws IOException {
    PurgeRun run =
        PurgeRun.ordered(folder, "shop")
            .configure(
                "key = [mail, town], partition-by = [town], delete-format = position, " + PLAIN);
    for (int i = 0; i < 20; i++) {
      run.put("c", mail(i), "town" + i % 2, i);
    }
    run.batch();
    run.put("u", mail(3), "town1", 300).remove(mail(5), "town1");
    run.batch();
    run.check();
    Path keys =
        run.keys(
            "keys.jsonl",
            "{\"mail\":\"%s\",\"town\":\"town1\"}".formatted(mail(3)),
            "",
            "{\"town\":\"town1\",\"mail\":\"%s\"}".formatted(mail(5)),
            "{\"town\":\"town0\",\"mail\":\"%s\"}".formatted(mail(1)));
    String[] purged = {mail(3), mail(5)};
    // stands for a process that dies there
    KeyPurger dying =
        run.purger(
            new PurgeRun.At(
                Checkpoint.DATA_COMMITTED,
                () -> {
                  throw new IllegalStateException("died");
                }));
    long indexBefore = run.index().currentSnapshot().snapshotId();

    assertThatThrownBy(() -> dying.purge(keys.toString())).hasMessage("died");

    assertThat(run.index().currentSnapshot().snapshotId()).isEqualTo(indexBefore);
    assertThat(PurgeRun.raw(run.data(), purged)).isZero();
    assertThat(PurgeRun.raw(run.index(), purged))
        .as("control: the index was not reached")
        .isPositive();
    assertThat(run.purge(keys)).contains("ordered: snapshot");
    run.forget(purged).check();
    Table index = run.index();
    assertThat(PurgeRun.raw(index, purged)).isZero();
    assertThat(PurgeRun.raw(run.data(), mail(1))).as("the key in another town").isPositive();
    run.expireBoth();
    assertThat(run.prove(keys).code()).isZero();
  }
}
