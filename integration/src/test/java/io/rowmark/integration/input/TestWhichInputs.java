package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which landed files a batch takes, and that each goes in exactly once. */
class TestWhichInputs {
  private static final int CONFLICT = 6;

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int projects;

  @TempDir private Path folder;
  private Project project;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  @BeforeEach
  void makeProject() throws IOException {
    project = new Project(folder, "inputs" + ++projects, embedded);
    project.configure("key = [id], columns { id = long, amount = long }");
  }

  private String row(int id) {
    return project.insert("{\"id\":%d,\"amount\":%d}".formatted(id, id));
  }

  @Test
  void batchesWithinTheLimitOfRecordsFollowUntilNothingIsNew() throws IOException {
    for (int file = 0; file < 5; file++) {
      project.land(file + ".json", row(3 * file), row(3 * file + 1), row(3 * file + 2));
    }

    int ended = project.run("ingest", "--until-caught-up", "--set", "batch.max-records=7");

    assertThat(ended).as(project.err()).isZero();
    assertThat(project.rows()).isEqualTo(15);
    assertThat(
            project
                .out()
                .lines()
                .filter(line -> !line.startsWith(" "))
                .map(line -> line.replaceAll(".*: ", "").replaceAll(" \\(.*", "")))
        .containsExactly(
            "2 inputs, 6 events.",
            "2 inputs, 6 events.",
            "1 input, 3 events.",
            "every input is in its ledger. Nothing was written",
            "Caught up after 3 batches.");
  }

  @Test
  void aLedgerThatWasSetBackIsCaughtUpWith() throws IOException {
    project.land("0.json", row(0));
    ingest();
    String ledger = project.sparkTable().replace(".accounts", ".ledger");
    long first =
        LocalSpark.session()
            .sql("SELECT max(snapshot_id) FROM %s.snapshots".formatted(ledger))
            .first()
            .getLong(0);
    project.land("1.json", row(1));
    ingest();
    project.land("2.json", row(2));
    ingest();
    LocalSpark.session()
        .sql(
            "CALL %s.system.rollback_to_snapshot('%s', %d)"
                .formatted(
                    ledger.substring(0, ledger.indexOf('.')),
                    ledger.substring(ledger.indexOf('.') + 1),
                    first));
    project.land("3.json", row(3));

    ingest("--until-caught-up", "--set", "batch.max-files=1");

    assertThat(ids()).containsExactly(0L, 1L, 2L, 3L);
    assertThat(project.out())
        .containsPattern("Batch [0-9a-f]{16} of pipeline \\S+ was committed before")
        .contains("Caught up after 3 batches.");
  }

  private void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  private void ingest(String... more) {
    List<String> command = new ArrayList<>(List.of("ingest"));
    command.addAll(List.of(more));
    assertThat(project.run(command.toArray(String[]::new))).as(project.err()).isZero();
  }

  private List<Long> ids() {
    return LocalSpark.session()
        .sql("SELECT id FROM %s ORDER BY id".formatted(project.sparkTable()))
        .collectAsList()
        .stream()
        .map(row -> row.getLong(0))
        .toList();
  }

  private void appendOnly() throws IOException {
    project.configure("mode = append-only, columns { id = long, amount = long }");
  }

  @Test
  void lateFilesGoInOnceWhateverTheirNamesAndTimes() throws IOException {
    appendOnly();
    project.land("accounts+0+20.json", row(20));
    project.land("accounts+0+10.json", row(10));
    ingest();
    age(project.land("accounts+0+5.json", row(5)), Duration.ofDays(400));
    project.land("a/accounts+0+15.json", row(15));
    ingest();
    ingest();

    assertThat(project.out()).contains("Nothing new");
    assertThat(ids()).containsExactly(5L, 10L, 15L, 20L);
  }

  @Test
  void aFileOfTheSameSizeWithAnotherTimeIsToldOfAndNotRead() throws IOException {
    appendOnly();
    Path file = project.land("a.json", row(1));
    project.land("b.json", row(2));
    ingest();
    age(file, Duration.ofDays(1));
    project.land("c.json", row(3));

    ingest("--until-caught-up");

    assertThat(ids()).containsExactly(1L, 2L, 3L);
    assertThat(project.out())
        .containsOnlyOnce(
            "inputs: 1 inputs that went in before have another modification time and the same size, as 'accounts/a.json'");
  }

  @Test
  void twoPipelinesOnOneFolderEachTakeEverythingOnce() throws IOException {
    Project other = new Project(folder, "inputs" + ++projects, embedded);
    project.land("a.json", row(1));
    for (int round = 0; round < 2; round++) {
      appendOnly();
      ingest();
      other.configure("mode = append-only, columns { id = long, amount = long }");
      assertThat(other.run("ingest")).as(other.err()).isZero();
      project.land("b" + round + ".json", row(round + 2));
    }

    assertThat(ids()).containsExactly(1L, 2L);
    assertThat(other.rows()).isEqualTo(2);
    assertThat(other.run("ingest")).as(other.err()).isZero();
    assertThat(other.rows()).isEqualTo(3);
    assertThat(ids()).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"atomic", "ordered"})
  void twoRunsAtOnceTakeEachFileOnce(String mode) throws Exception {
    project.configure(
        "mode = append-only, columns { id = long, amount = long }", "commit.mode = " + mode);
    Project other = project.again();
    project.land("0.json", row(0));
    ingest();
    for (int round = 1; round <= 3; round++) {
      int first = 10 * round;
      project.land(first + ".json", row(first), row(first + 1));
      // this one only one of the two may see
      CountDownLatch both = new CountDownLatch(2);
      CompletableFuture<Integer> one = run(project, both);
      CompletableFuture<Integer> two = run(other, both);
      project.land((first + 5) + ".json", row(first + 5));
      assertThat(one.get()).as(project.err()).isIn(0, CONFLICT);
      assertThat(two.get()).as(other.err()).isIn(0, CONFLICT);
    }
    ingest();

    assertThat(ids()).containsExactly(0L, 10L, 11L, 15L, 20L, 21L, 25L, 30L, 31L, 35L);
  }

  private static CompletableFuture<Integer> run(Project project, CountDownLatch both) {
    return CompletableFuture.supplyAsync(
        () -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return project.run("ingest");
        },
        command -> new Thread(command).start());
  }

  @ParameterizedTest
  @ValueSource(strings = {"atomic", "ordered"})
  void whatIsOlderIsPassedOverForGoodUnlessItIsAskedFor(String mode) throws IOException {
    project.configure(
        "mode = append-only, columns { id = long, amount = long }", "commit.mode = " + mode);
    Instant start = Instant.now().minus(Duration.ofHours(1));
    age(project.land("a.json", row(1)), Duration.ofDays(30));
    age(project.land("b.json", row(2)), Duration.ofDays(2));
    project.land("c.json", row(3));

    ingest("--since", start.toString());
    assertThat(project.out())
        .contains("inputs: 2 that landed before %s are passed over".formatted(start));
    assertThat(ids()).containsExactly(3L);

    project.land("d.json", row(4));
    ingest();
    assertThat(ids()).as("a run that says nothing of it").containsExactly(3L, 4L);
    age(project.land("e.json", row(5)), Duration.ofDays(2));
    ingest("--since", batchOf("d.json"));
    assertThat(project.out()).contains("inputs: 1 that landed before batch");
    ingest();
    assertThat(ids()).containsExactly(3L, 4L);

    assertThat(project.run("replay", "--input", "accounts/{a,e}.json", "--apply"))
        .as(project.err())
        .isZero();
    assertThat(ids()).containsExactly(1L, 3L, 4L, 5L);
    assertThat(project.run("replay", "--input", "accounts/a.json", "--apply")).isEqualTo(5);
    ingest();
    assertThat(ids()).containsExactly(1L, 3L, 4L, 5L);
  }

  private String batchOf(String file) {
    return LocalSpark.session()
        .sql(
            "SELECT batch_id FROM %s WHERE input = 'accounts/%s'"
                .formatted(project.sparkTable().replace(".accounts", ".ledger"), file))
        .first()
        .getString(0);
  }

  @Test
  void onlyOldFilesLeaveNothingToDoAndStayPassedOver() throws IOException {
    age(project.land("a.json", row(1)), Duration.ofDays(30));

    ingest("--since", Instant.now().minus(Duration.ofDays(1)).toString());
    assertThat(project.out()).contains("Nothing new", "inputs: 1 that landed before");
    ingest();

    assertThat(project.out()).contains("Nothing new").doesNotContain("inputs:");
  }

  @Test
  void aTimeWithoutZoneOrInTheFutureIsRefused() throws IOException {
    project.land("a.json", row(1));
    assertThat(project.run("ingest", "--since", "2026-11-01T00:00:00")).isEqualTo(2);
    assertThat(project.err())
        .contains(
            "'2026-11-01T00:00:00' is no time with zone, as in 2026-11-01T00:00:00Z or"
                + " 2026-11-01T01:00:00+01:00, and not the id of a batch");
    assertThat(project.run("ingest", "--since", "2199-01-01T00:00:00Z")).isEqualTo(3);
    assertThat(project.err()).contains("lies in the future: all files would be passed over.");
    assertThat(project.run("ingest", "--since", "0123456789abcdef")).isEqualTo(3);
    assertThat(project.err()).contains("has no such batch");
    ingest();
    assertThat(project.rows()).isEqualTo(1);
  }
}
