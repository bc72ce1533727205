package io.rowmark.integration.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.NewAttempt;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CommitSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others commit between what a batch has resolved and its commit. */
class TestRebasedBatch {
  /** Of the keyed table, and of the other. */
  private static final int DATA_FILES = 2;

  @TempDir private static Path folder;
  private static SharedTables tables;

  @BeforeAll
  static void load() {
    tables = SharedTables.start(folder.resolve("atomic"), CommitSpec.Mode.ATOMIC, 3);
  }

  @AfterAll
  static void stop() {
    tables.close();
  }

  /** The second attempt landed with the files of the first. */
  private static void assertRebased(BatchReport report, Meanwhile others) {
    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.attempts()).isEqualTo(2);
    assertThat(report.again())
        .singleElement()
        .satisfies(
            next -> {
              assertThat(next.attempt()).isEqualTo(2);
              assertThat(next.redone()).isNull();
              assertThat(next.dataFilesKept()).isEqualTo(DATA_FILES);
              assertThat(next.keysLookedUp()).isPositive();
              assertThat(next.refusal()).isNotBlank();
            });
    assertThat(dataFilesAdded(report)).isEqualTo(DATA_FILES);
    assertThat(others.rowsWritten()).as("times that rows were written").isEqualTo(1);
  }

  /** The second attempt made the batch from its inputs. */
  private static void assertRedone(BatchReport report, Meanwhile others, String reason) {
    assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
    assertThat(report.again())
        .singleElement()
        .extracting(NewAttempt::redone)
        .asString()
        .contains("of table " + Scene.ACCOUNTS + ": " + reason);
    assertThat(others.rowsWritten()).as("times that rows were written").isEqualTo(2);
  }

  private static long dataFilesAdded(BatchReport report) {
    return report.tables().stream()
        .mapToLong(table -> table.counts().get("data-files-added"))
        .sum();
  }

  @Test
  void aCompactionCostsNoWriting() {
    Map<Long, Long> before = tables.rowIds();
    Meanwhile others = Meanwhile.once(() -> tables.compact(Scene.ACCOUNTS));

    BatchReport report = tables.next(others);

    assertRebased(report, others);
    assertThat(report.tables().get(0).notes())
        .anySatisfy(note -> assertThat(note).startsWith("reconciled index"));
    tables.batches.assertAsLanded();
    Map<Long, Long> after = tables.rowIds();
    before.keySet().retainAll(after.keySet());
    assertThat(after).as("row ids, of updated rows too").containsAllEntriesOf(before);
  }

  @Tag("long")
  @Test
  void aCompactionOfTheIndexCostsNoWriting() {
    Meanwhile others = Meanwhile.once(() -> tables.compact(Scene.ACCOUNTS_INDEX));

    assertRebased(tables.next(others), others);

    tables.batches.assertAsLanded();
  }

  @Tag("long")
  @Test
  void aBatchThatSparkWorksOnIsRebasedAsWell() {
    tables.rounds.land();
    Meanwhile others = Meanwhile.once(() -> tables.compact(Scene.ACCOUNTS));

    assertRebased(tables.batches.run(tables.pipeline(3, 0), others), others);

    tables.batches.assertAsLanded();
  }

  @Test
  void foreignDeletesInTheSameFileAreUnited() {
    tables.sql("ALTER TABLE $accounts SET TBLPROPERTIES ('write.delete.mode'='merge-on-read')");
    // a key that this batch leaves alone, beside keys that it updates
    long foreign = latest() + 10;
    Meanwhile others =
        Meanwhile.once(() -> tables.sql("DELETE FROM $accounts WHERE id = " + foreign));
    tables.rounds.accounts().remove(foreign);

    assertRebased(tables.next(others), others);

    tables.batches.assertAsLanded();
  }

  @Test
  void aForeignDeleteOfAKeyOfTheBatchMakesItsRowANewOne() {
    long updated = latest();
    long id = tables.rowIds().get(updated);
    Meanwhile others =
        Meanwhile.once(() -> tables.sql("DELETE FROM $accounts WHERE id = " + updated));

    assertRedone(tables.next(others), others, "a row of its keys came, went or has another id");

    tables.batches.assertAsLanded();
    assertThat(tables.rowIds().get(updated)).as("row id").isNotEqualTo(id);
  }

  @Tag("long")
  @Test
  void aForeignInsertOfAKeyOfTheBatchIsUpdated() {
    long inserted = latest() + 101;
    Meanwhile others =
        Meanwhile.once(
            () -> tables.sql("INSERT INTO $accounts VALUES (%d, 4711)".formatted(inserted)));

    assertRedone(tables.next(others), others, "a row of its keys came, went or has another id");

    tables.batches.assertAsLanded();
  }

  @Test
  void twoPipelinesInsertTheSameKeyAndTheLaterChangeWins() {
    long mine = latest() + 102;
    long theirs = latest() + 103;
    Rounds early = new Rounds(tables.landingOf("early"), 10);
    early.landOne(mine, 1);
    Rounds late = new Rounds(tables.landingOf("late"), 1_000_000);
    late.landOne(theirs, 2);
    Meanwhile others =
        Meanwhile.once(
            () -> {
              tables.batches.run(tables.other("early"), StepListener.SILENT);
              tables.batches.run(tables.other("late"), StepListener.SILENT);
            });

    BatchReport report = tables.next(others);

    tables.rounds.accounts().put(theirs, 2L);
    assertRedone(report, others, "others changed rows of its keys, and other changes apply");
    tables.batches.assertAsLanded();
  }

  @Test
  void twoRunsOfOnePipelineBringTheirInputsOnce() throws Exception {
    tables.rounds.land();
    CyclicBarrier staged = new CyclicBarrier(2);
    List<BatchReport> reports = both(() -> tables.batches.run(Meanwhile.once(() -> await(staged))));

    assertThat(reports)
        .extracting(BatchReport::outcome)
        .containsOnlyOnce(Outcome.COMMITTED)
        .containsAnyOf(Outcome.NOTHING_NEW, Outcome.ALREADY_COMMITTED);
    assertThat(reports)
        .flatExtracting(BatchReport::again)
        .extracting(NewAttempt::redone)
        .singleElement()
        .asString()
        .startsWith("another run brought inputs of table");
    tables.batches.assertAsLanded();
  }

  private static List<BatchReport> both(Callable<BatchReport> run) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<BatchReport> reports = new ArrayList<>();
      for (Future<BatchReport> one : threads.invokeAll(List.of(run, run))) {
        reports.add(one.get());
      }
      return reports;
    } finally {
      threads.shutdown();
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Tag("long")
  @Test
  void theOrderedProtocolRebasesTheTablesThatAreLeft() {
    try (SharedTables ordered =
        SharedTables.start(folder.resolve("ordered"), CommitSpec.Mode.ORDERED, 2)) {
      Meanwhile others = Meanwhile.once(() -> ordered.compact(Scene.ACCOUNTS));
      assertRebased(ordered.next(others), others);
      ordered.batches.assertAsLanded();

      // the keyed table lands before the other is refused
      Meanwhile later = Meanwhile.once(() -> ordered.compact(Scene.HISTORY));
      BatchReport report = ordered.next(later);
      assertThat(report.again())
          .singleElement()
          .satisfies(next -> assertThat(next.dataFilesKept()).isEqualTo(1));
      assertThat(later.rowsWritten()).isEqualTo(1);
      ordered.batches.assertAsLanded();

      // without row ids it does not matter to a row whether there was one before
      long inserted = 100L * (ordered.rounds.files() / 2) + 5;
      Meanwhile inserting =
          Meanwhile.once(
              () -> ordered.sql("INSERT INTO $accounts VALUES (%d, 4711)".formatted(inserted)));
      assertRebased(ordered.next(inserting), inserting);
      ordered.batches.assertAsLanded();
    }
  }

  @Test
  void refusalsWithoutEndLeaveNoFiles() throws IOException {
    Meanwhile others = Meanwhile.times(3, () -> tables.compact(Scene.ACCOUNTS));
    tables.rounds.land();
    Set<Path> before = tables.unreferenced();

    assertThatThrownBy(() -> tables.batches.run(others))
        .hasMessageContaining("3 attempts were refused");

    assertThat(others.rowsWritten()).isEqualTo(1);
    assertThat(tables.unreferenced()).as("files that no snapshot has").isEqualTo(before);
    tables.batches.assertConverges();
  }

  @Tag("long")
  @Test
  void batchesLandBesideASteadyCompactor() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger compactions = new AtomicInteger();
    ExecutorService compactor = Executors.newSingleThreadExecutor();
    Future<?> work =
        compactor.submit(
            () -> {
              while (!ended.get()) {
                try {
                  tables.compact(Scene.ACCOUNTS);
                  compactions.incrementAndGet();
                } catch (RuntimeException e) {
                  // a batch won the commit; the next round of the compactor sees its files
                }
              }
            });
    int rebased = 0;
    int redone = 0;
    try {
      for (int i = 0; i < 12; i++) {
        tables.rounds.land();
        BatchReport report =
            tables.batches.run(
                tables.pipeline(20, BatchSpec.DEFAULT_DRIVER_EVENTS), StepListener.SILENT);
        assertThat(report.outcome()).isEqualTo(Outcome.COMMITTED);
        rebased += (int) report.again().stream().filter(next -> next.redone() == null).count();
        redone += (int) report.again().stream().filter(next -> next.redone() != null).count();
      }
    } finally {
      ended.set(true);
      compactor.shutdown();
      work.get(2, TimeUnit.MINUTES);
    }
    System.out.printf(
        "12 batches beside %d compactions: %d attempts rebased, %d made again%n",
        compactions.get(), rebased, redone);
    assertThat(compactions).hasPositiveValue();
    tables.batches.assertAsLanded();
  }

  /** The first id of the last round. */
  private static long latest() {
    return 100L * (tables.rounds.files() / 2 - 1);
  }
}
