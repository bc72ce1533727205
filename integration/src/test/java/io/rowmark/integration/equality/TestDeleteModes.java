package io.rowmark.integration.equality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.testing.IndexFixture;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.integration.equality.ThingsRun.Shape;
import io.rowmark.integration.equality.ThingsRun.Store;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.RejectSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.FileContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table with equality deletes refuses, and how tables come to a delete format. */
class TestDeleteModes {
  @TempDir private Path folder;

  private ThingsRun run(int version, WantedDeletes deletes) {
    return new ThingsRun(folder, Store.ORDERED_HADOOP, new Shape(version, List.of(), deletes));
  }

  private static void refuses(ThingsRun run, Category category, String... message) {
    assertThatThrownBy(run::ingest)
        .isInstanceOfSatisfying(
            RowmarkException.class,
            e -> {
              assertThat(e.category()).isEqualTo(category);
              assertThat(e.getMessage()).contains(message);
            });
  }

  @ParameterizedTest
  @CsvSource({"2, DELETION_VECTOR, deletion-vector", "3, POSITION, position"})
  void aFormatThatTheVersionDoesNotHaveIsRefused(int version, WantedDeletes wanted, String name) {
    ThingsRun run = run(version, wanted).put("c", 1, "a", 1);
    run.land();
    refuses(
        run,
        Category.CONFIG,
        "No delete format suits all readers of table shop.things",
        "setting delete-format",
        "set delete-format = auto");
    assertThat(name).isEqualTo(wanted.text());
    assertThat(run.catalog().iceberg().tableExists(ThingsRun.THINGS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"2, POSITION", "3, DELETION_VECTOR"})
  void theFormatOfTheVersionMayBeNamed(int version, WantedDeletes wanted) {
    ThingsRun run = run(version, wanted).put("c", 1, "a", 1).put("c", 2, "a", 2);
    run.batch();
    assertThat(run.put("u", 1, "b", 3).batch())
        .containsEntry("data-files-with-new-deletes", 1L)
        .containsEntry("equality-deletes-added", 0L);
    assertThat(run.tasks().stream().flatMap(task -> task.deletes().stream()))
        .extracting(delete -> delete.content())
        .containsExactly(FileContent.POSITION_DELETES);
  }

  @Test
  void formatVersionOneIsRefused() {
    ThingsRun run = run(2, WantedDeletes.EQUALITY);
    run.sql(
        "CREATE TABLE $t (id bigint NOT NULL) USING iceberg TBLPROPERTIES ('format-version'='1')");
    run.put("c", 1, "a", 1).land();
    refuses(run, Category.TABLE_STATE, "has format version 1, which knows no deletes");
  }

  @Test
  void aTableWithAnIndexIsSwitchedToEqualityByPlanOnly() {
    ThingsRun positional = run(3, WantedDeletes.AUTO).put("c", 1, "a", 1).put("c", 2, "a", 2);
    positional.batch();
    ThingsRun equality = new ThingsRun(positional, WantedDeletes.EQUALITY).put("u", 1, "b", 2);
    equality.land();
    long before = equality.table().currentSnapshot().snapshotId();
    refuses(
        equality,
        Category.CONFIG,
        "drop the index shop.things__rowmark_index",
        "delete format: deletion-vector -> equality",
        "'rowmark plan --apply'");
    assertThat(equality.table().currentSnapshot().snapshotId()).isEqualTo(before);

    assertThat(equality.applyPlan())
        .containsExactly(
            "recorded the readers spark", "dropped the index shop.things__rowmark_index");
    assertThat(equality.plan().steps()).isEmpty();
    equality.ingest();
    equality.checkRows();
    assertThat(equality.catalog().iceberg().tableExists(ThingsRun.INDEX)).isFalse();
  }

  /** Someone else deletes by position, which every declared reader reads. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void deletesByPositionStayBesideEqualityDeletesWhereEveryReaderReadsThem(int version)
      throws IOException {
    ThingsRun run = run(version, WantedDeletes.EQUALITY);
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).put("c", 3, "a", 3).batch();
    String file = run.tasks().get(0).file().location();
    IndexFixture.deletePosition(run.table(), file, 0);
    run.forget(1).put("u", 2, "b", 3).batch();
    assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void equalityDeletesAreConvertedAndTheIndexBuiltWhenATableIsSwitchedToPositions(int version) {
    ThingsRun equality = run(version, WantedDeletes.EQUALITY);
    for (int id = 1; id <= 5; id++) {
      equality.put("c", id, "a", id);
    }
    equality.batch();
    equality.put("u", 1, "b", 10).remove(2).batch();

    ThingsRun positional = new ThingsRun(equality, WantedDeletes.AUTO);
    positional.put("u", 1, "c", 20).put("c", 2, "c", 2).put("u", 3, "c", 30).remove(4).land();
    refuses(positional, Category.CONFIG, "convert 1 delete files (equality) to", "plan --apply");
    assertThat(positional.applyPlan())
        .anyMatch(line -> line.startsWith("converted 1 delete files into 1 "))
        .anyMatch(line -> line.startsWith("built index shop.things__rowmark_index of 4 rows"));
    assertThat(positional.plan().steps()).isEmpty();
    assertThat(equalityDeletes(positional)).isZero();

    BatchReport report = positional.ingest();
    positional.checkRows();
    assertThat(report.tables().get(0).counts())
        .containsEntry("inserts", 1L)
        .containsEntry("updates", 2L)
        .containsEntry("deletes", 1L)
        .containsEntry("equality-deletes-added", 0L);
    positional.put("u", 2, "d", 3).put("u", 5, "d", 50).batch();
    assertThat(IndexVerifier.verify(LocalSpark.session(), positional.names()).differences())
        .isEmpty();
  }

  /** The table was promised without them, so the next batch brings it back to its promise. */
  @Test
  void equalityDeletesOfOthersInATableWithAnotherPromiseAreConvertedByTheNextBatch()
      throws IOException {
    ThingsRun run = run(3, WantedDeletes.AUTO);
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).put("c", 3, "a", 3).batch();
    IndexFixture.deleteEqual(run.table(), Map.of("id", 1L));
    assertThat(equalityDeletes(run)).as("control").isPositive();
    run.forget(1).put("u", 2, "b", 3).land();
    BatchReport report = run.ingest();
    assertThat(report.tables().get(0).notes())
        .anyMatch(note -> note.startsWith("converted 1 delete files into 1 (deletion-vector)"));
    run.checkRows();
    assertThat(equalityDeletes(run)).isZero();
    assertThat(IndexVerifier.verify(LocalSpark.session(), run.names()).differences()).isEmpty();
  }

  @Test
  void positionDeletesBecomeVectorsWithTheUpgradeThatWasAskedFor() {
    ThingsRun old = run(2, WantedDeletes.AUTO);
    for (int id = 1; id <= 5; id++) {
      old.put("c", id, "a", id);
    }
    old.batch();
    old.put("u", 1, "b", 10).batch();

    ThingsRun refused = new ThingsRun(old, 3, WantedDeletes.DELETION_VECTOR).put("u", 1, "c", 1);
    refused.land();
    refuses(refused, Category.CONFIG, "set allow-format-upgrade = true, which has no way back");

    ThingsRun upgraded = refused.upgradeAllowed();
    refuses(upgraded, Category.CONFIG, "from format version 2 to 3, which has no way back");
    assertThat(upgraded.applyPlan())
        .containsExactly(
            "upgraded the table from format version 2 to 3", "recorded the readers spark");
    upgraded.ingest();
    upgraded.checkRows();
    upgraded.put("u", 2, "c", 2).batch();
    assertThat(upgraded.tasks().stream().flatMap(task -> task.deletes().stream()))
        .isNotEmpty()
        .allSatisfy(
            delete -> assertThat(DeleteFormat.of(delete)).isEqualTo(DeleteFormat.DELETION_VECTOR));
    assertThat(IndexVerifier.verify(LocalSpark.session(), upgraded.names()).differences())
        .isEmpty();
  }

  private static long equalityDeletes(ThingsRun run) {
    return run.tasks().stream()
        .flatMap(task -> task.deletes().stream())
        .filter(delete -> delete.content() == FileContent.EQUALITY_DELETES)
        .count();
  }

  @Test
  void anEventThatLeavesValuesOutIsAReject() {
    ThingsRun run = run(3, WantedDeletes.EQUALITY);
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).batch();
    long before = run.table().currentSnapshot().snapshotId();
    // not even the insert before it will do: it may be one that comes again
    run.put("c", 3, "a", 3).putWithGap(3, 4).land();
    refuses(
        run,
        Category.SOURCE,
        "1 record cannot become a row (1 unavailable-without-lookup)",
        "things+0+0000001000.json record 2",
        "set delete-format of the table to position or deletion-vector, or make the source send"
            + " whole rows");
    assertThat(run.table().currentSnapshot().snapshotId()).isEqualTo(before);
  }

  @Test
  void rejectsForLeftOutValuesAreCountedAndMayBePassed() throws IOException {
    Path dead = folder.resolve("rejects");
    ThingsRun run =
        run(2, WantedDeletes.EQUALITY)
            .rejects(new RejectSpec(dead.toString(), 1, RejectSpec.Content.REASON_ONLY));
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).batch();
    run.putWithGap(1, 9).put("u", 2, "b", 3).batch();
    try (Stream<Path> files = Files.walk(dead)) {
      List<Path> kept = files.filter(path -> path.toString().endsWith(".jsonl")).toList();
      assertThat(kept).hasSize(1);
      assertThat(Files.readString(kept.get(0))).contains("\"code\":\"unavailable-without-lookup\"");
    }
    assertThat(run.rowsWithoutDeletes()).as("control").isEqualTo(3);
  }

  @Test
  void aLaterWholeRowOrARemovalMakesUpForLeftOutValues() {
    ThingsRun run = run(3, WantedDeletes.EQUALITY);
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).batch();
    run.putWithGap(1, 5).put("u", 1, "b", 6).putWithGap(2, 7).remove(2);
    run.batch();
    assertThat(run.modelSize()).isEqualTo(1);
  }

  @Test
  void aRefusedAttemptLeavesNoFileAndTheNextOneHidesTheOtherWritersRow() throws IOException {
    ThingsRun run = run(2, WantedDeletes.EQUALITY);
    run.put("c", 1, "a", 1).put("c", 2, "a", 2).batch();
    run.put("u", 1, "b", 5).put("c", 3, "b", 3).land();
    Meddler meddler = new Meddler(run);
    BatchReport report = run.ingest(meddler);
    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.attempts()).isEqualTo(2);
    run.checkRows();
    assertThat(run.rowsWithoutDeletes()).as("control: both writers' rows").isEqualTo(2 + 1 + 2);
    Set<String> known =
        run.sql("SELECT file_path FROM $t.all_files").stream()
            .map(row -> Path.of(row.getString(0)).getFileName().toString())
            .collect(Collectors.toSet());
    try (Stream<Path> files = Files.walk(folder.resolve("warehouse/shop/things/data"))) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(path -> path.getFileName().toString())
                  .filter(name -> name.endsWith(".parquet")))
          .isNotEmpty()
          .allMatch(known::contains);
    }
  }

  /** Appends a row of key 3 once a batch is staged, the first time only. */
  private static final class Meddler implements StepListener {
    private final ThingsRun run;
    private boolean done;

    Meddler(ThingsRun run) {
      this.run = run;
    }

    @Override
    public void reached(Checkpoint checkpoint) {
      if (checkpoint == Checkpoint.BATCH_STAGED && !done) {
        done = true;
        try {
          IndexFixture.append(
              run.table(), Map.of("id", 3L, "area", "foreign", "amount", 1L), Map.of());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {}
  }
}
