package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.engine.Engine;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.report.BatchReport.TableReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import sun.misc.Signal;

/** {@code ingest --until-caught-up}: when it goes on, and what ends it. */
class TestCatchUp {
  private static final String CONFIG =
      """
      pipeline = shop
      catalog.properties { type = hadoop, warehouse = "/warehouse" }
      source.path = "/landing"
      ledger.table = "shop.ledger"
      table-defaults.readers = [spark]
      tables { "shop.customers" { topic = customers, key = [id] } }
      """;

  @TempDir private Path folder;
  private String config = "";
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private int batches;

  @BeforeEach
  void writeConfig() throws IOException {
    config = Files.writeString(folder.resolve("shop.conf"), CONFIG).toString();
  }

  private BatchReport report(Outcome outcome, @Nullable String id) {
    TableReport table =
        new TableReport(
            "shop.customers",
            1L,
            2L,
            3L,
            Map.of("input-files", 3L, "events", 1234L),
            Map.of("tombstone", 12L),
            Map.of(),
            batches == 1 ? List.of("column country was added") : List.of());
    return new BatchReport(
        "shop",
        outcome,
        id,
        "atomic",
        1,
        "2026-11-30T10:00:%02dZ".formatted(++batches),
        1500,
        List.of(),
        outcome == Outcome.COMMITTED ? List.of(table) : List.of(),
        null);
  }

  private Cli.Ended run(Engine engine, String... more) {
    List<String> args = new ArrayList<>(List.of("ingest", "--config", config, "--until-caught-up"));
    args.addAll(List.of(more));
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
  }

  private static RecordedEngine answering(List<Supplier<BatchReport>> answers) {
    var next = answers.iterator();
    return RecordedEngine.ingesting(() -> next.next().get());
  }

  @Test
  void batchesGoOnUntilNothingIsNewWithALineAndAReportForEach() throws IOException {
    RecordedEngine engine =
        answering(
            List.of(
                () -> report(Outcome.COMMITTED, "b-1"),
                () -> report(Outcome.COMMITTED, "b-2"),
                () -> report(Outcome.ALREADY_COMMITTED, "b-3"),
                () -> report(Outcome.NOTHING_NEW, null)));

    Cli.Ended ended = run(engine, "--report", folder + "/reports");

    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(engine.asked).hasSize(4);
    assertThat(out.toString().lines())
        .containsExactly(
            "Committed batch b-1 of pipeline shop (atomic, 1 attempt) in 1.5 s: 3 inputs, 1,234"
                + " events.",
            "Committed batch b-2 of pipeline shop (atomic, 1 attempt) in 1.5 s: 3 inputs, 1,234"
                + " events.",
            "  shop.customers: column country was added",
            "Batch b-3 of pipeline shop was committed before. Nothing was written (1.5 s).",
            "Nothing new for pipeline shop: every input is in its ledger. Nothing was written (1.5"
                + " s).",
            "Caught up after 3 batches.");
    try (Stream<Path> files = Files.list(folder.resolve("reports"))) {
      assertThat(files).hasSize(4);
    }
  }

  @Test
  void theFirstFailureEndsItWithItsExitCode() throws IOException {
    RecordedEngine engine =
        answering(
            List.of(
                () -> report(Outcome.COMMITTED, "b-1"),
                () -> {
                  throw RowmarkException.source("no more input.");
                }));

    Cli.Ended ended = run(engine, "--report", folder + "/reports");

    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(engine.asked).hasSize(2);
    assertThat(err.toString()).contains("Failed (SOURCE): no more input.");
    assertThat(out.toString()).contains("Pipeline shop failed after").doesNotContain("Caught up");
    try (Stream<Path> files = Files.list(folder.resolve("reports"))) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void inputThatWaitsWithoutGettingLessEndsIt() {
    RecordedEngine engine = RecordedEngine.ingesting(() -> report(Outcome.COMMITTED, "b-1"));

    assertThat(run(engine).exitCode()).isZero();

    assertThat(engine.asked).hasSize(2);
    assertThat(out.toString())
        .contains("Stopped after 1 batch: batch b-1 came again, so what waits does not get less.");
  }

  @Test
  void noMoreBatchesRunThanAllowed() {
    RecordedEngine engine =
        RecordedEngine.ingesting(() -> report(Outcome.COMMITTED, "b-" + batches));

    assertThat(run(engine, "--max-batches", "3").exitCode()).isZero();

    assertThat(engine.asked).hasSize(3);
    assertThat(out.toString())
        .contains("Stopped after 3 batches, as --max-batches says; more input may wait.");
  }

  @Test
  void theSignalTermEndsItAfterTheBatchThatRuns() {
    // the signal arrives in a thread of its own: some batches may still follow
    RecordedEngine engine =
        RecordedEngine.ingesting(
            () -> {
              if (batches == 1) {
                Signal.raise(new Signal("TERM"));
              }
              return report(Outcome.COMMITTED, "b-" + batches);
            });

    assertThat(run(engine).exitCode()).isZero();

    assertThat(engine.asked).hasSizeGreaterThanOrEqualTo(2);
    assertThat(out.toString()).contains(" batches by the signal TERM; more input may wait.");
  }

  @Test
  void aLimitOfBatchesWantsTheLoopAndAtLeastOne() {
    RecordedEngine engine = RecordedEngine.working();

    assertThat(run(engine, "--max-batches", "0").exitCode()).isEqualTo(2);
    Cli.Ended without =
        Cli.run(
            engine,
            new PrintWriter(out),
            new PrintWriter(err),
            "ingest",
            "--config",
            config,
            "--max-batches",
            "2");

    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(engine.asked).isEmpty();
    assertThat(err.toString())
        .contains("--max-batches is 0, but must be at least 1.")
        .contains("--max-batches needs --until-caught-up; without it one batch runs.");
  }
}
