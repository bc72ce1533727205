package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.app.engine.Engine;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.reconcile.ReconcileReport;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.verify.Difference;
import io.rowmark.merge.report.BatchReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestCli {
  private static final String CONFIG =
      """
      pipeline = shop
      catalog.properties { type = hadoop, warehouse = "/warehouse", token = hunter }
      source.path = "/landing"
      ledger.table = "shop.ledger"
      table-defaults.readers = [spark]
      tables {
        "shop.customers" { topic = customers, key = [id], columns { price = "decimal(10,2)" } }
        "shop.history" { topic = history, mode = append-only }
      }
      """;

  private Path dir = Path.of("");
  private String config = "";
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeConfig(@TempDir Path folder) throws IOException {
    dir = folder;
    Path file = dir.resolve("shop.conf");
    Files.writeString(file, CONFIG);
    config = file.toString();
  }

  private Cli.Ended run(Engine engine, String... args) {
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void ingestPrintsStepsAndSummary() {
    RecordedEngine engine = RecordedEngine.working();
    Cli.Ended ended = run(engine, "ingest", "--config", config);

    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(engine.asked).containsExactly("ingest shop ");
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString().lines())
        .containsExactly(
            "  read           0.4 s  3 files",
            "Committed batch b-1 of pipeline shop (atomic, 1 attempt) in 1.5 s.",
            "  table           events   rows",
            "  shop.customers   1,234  1,000",
            "  shop.customers: 12 left out: tombstone",
            "  shop.customers: 1 rejected: bad-json",
            "  shop.customers: column country was added");
  }

  @Test
  void lookupSaysWhereAKeyIs() {
    RecordedEngine engine = RecordedEngine.working();
    Cli.Ended ended =
        run(
            engine,
            "index",
            "lookup",
            "--config",
            config,
            "--table",
            "shop.customers",
            "--key",
            "id=5");

    assertThat(ended).isEqualTo(new Cli.Ended(0, null));
    assertThat(engine.asked).containsExactly("look up shop.customers [5]");
    assertThat(out.toString().lines())
        .containsExactly(
            "Index shop.customers__rowmark_index: position 7 of s3://lake/a.parquet, order of the last change 1/40/3");
  }

  @Test
  void lookupOfAKeyThatIsThereTwiceFails() {
    Cli.Ended ended =
        run(
            RecordedEngine.working(),
            "index",
            "lookup",
            "--config",
            config,
            "--table",
            "shop.customers",
            "--key",
            "id=twice",
            "--json");

    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(out.toString()).contains("\"position\" : 7", "\"behind\" : \"it covers snapshot 1");
    assertThat(err.toString()).contains("has 2 entries for one key");
  }

  @Test
  void lookupWantsEveryKeyColumn() {
    Cli.Ended ended =
        run(
            RecordedEngine.working(),
            "index",
            "lookup",
            "--config",
            config,
            "--table",
            "shop.customers",
            "--key",
            "name=x");

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(err.toString())
        .contains("--key names the columns [name], but the key of table shop.customers is [id]");
  }

  @Test
  void ingestSaysThatNothingIsNew() {
    BatchReport nothing =
        new BatchReport(
            "shop",
            BatchReport.Outcome.NOTHING_NEW,
            null,
            null,
            0,
            "2026-11-30T10:00:00Z",
            300,
            List.of(),
            List.of(),
            null);
    Cli.Ended ended = run(RecordedEngine.ingesting(() -> nothing), "ingest", "--config", config);

    assertThat(ended.exitCode()).isZero();
    assertThat(out.toString()).contains("Nothing new for pipeline shop");
  }

  @Test
  void reportIsWrittenInAFixedOrder() throws IOException {
    run(RecordedEngine.working(), "ingest", "--config", config, "--report", dir + "/reports");

    Path file = dir.resolve("reports/shop-20261130T100000Z-committed.json");
    assertThat(out.toString()).contains("Report: " + file);
    JsonNode report = new ObjectMapper().readTree(file.toFile());
    assertThat(report.fieldNames())
        .toIterable()
        .containsExactly(
            "pipeline",
            "outcome",
            "batchId",
            "protocol",
            "attempts",
            "again",
            "inputs",
            "startedAt",
            "millis",
            "steps",
            "tables",
            "failure");
    assertThat(report.get("tables").get(0).fieldNames())
        .toIterable()
        .containsExactly(
            "table",
            "snapshotBefore",
            "snapshotAfter",
            "indexSnapshotAfter",
            "counts",
            "skipped",
            "rejected",
            "notes");
    assertThat(report.get("tables").get(0).get("counts").get("events").asLong()).isEqualTo(1234);
    assertThat(report.get("failure").isNull()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Category.class)
  void failureIsOneBlockAndItsOwnExitCodeAndAReport(Category category) throws IOException {
    RowmarkException failure =
        new RowmarkException(
            category, RowmarkException.Retry.HELPS, "what, where, how to mend.", null);
    Cli.Ended ended =
        run(
            RecordedEngine.ingesting(
                () -> {
                  throw failure;
                }),
            "ingest",
            "--config",
            config,
            "--report",
            dir + "/reports");

    assertThat(ended.failure()).isSameAs(failure);
    assertThat(ended.exitCode()).isEqualTo(ExitCodes.of(category)).isNotIn(0, 2);
    assertThat(err.toString())
        .contains("Failed (" + category + "): what, where, how to mend.")
        .contains("The same command may succeed when run again.")
        .doesNotContain("\tat ");
    JsonNode report = onlyReport();
    assertThat(report.get("outcome").asText()).isEqualTo("FAILED");
    assertThat(report.get("failure").toString())
        .isEqualTo(
            "{\"category\":\"%s\",\"retryHelps\":true,\"message\":\"what, where, how to mend.\"}"
                .formatted(category));
    assertThat(report.get("steps").get(0).get("step").asText()).isEqualTo("read");
  }

  @Test
  void failureInAReportIsAFailureOfTheCommand() throws IOException {
    BatchReport failed =
        new BatchReport(
            "shop",
            BatchReport.Outcome.FAILED,
            "b-2",
            "atomic",
            3,
            "2026-11-30T10:00:00Z",
            300,
            List.of(),
            List.of(RecordedEngine.CUSTOMERS),
            new BatchReport.Failure("CONFLICT", true, "others won."));
    Cli.Ended ended =
        run(
            RecordedEngine.ingesting(() -> failed),
            "ingest",
            "--config",
            config,
            "--set",
            "report.dir=" + dir + "/reports");

    assertThat(ended.exitCode()).isEqualTo(6);
    assertThat(err.toString()).contains("Failed (CONFLICT): others won.");
    assertThat(onlyReport().get("batchId").asText()).isEqualTo("b-2");
  }

  @Test
  void unwritableReportDoesNotHideTheFailure() throws IOException {
    Files.writeString(dir.resolve("file"), "");
    Cli.Ended ended =
        run(
            RecordedEngine.ingesting(
                () -> {
                  throw RowmarkException.source("no input.");
                }),
            "ingest",
            "--config",
            config,
            "--report",
            dir + "/file/reports");

    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(err.toString()).contains("Failed (SOURCE): no input.");
    assertThat(out.toString()).contains("The report cannot be written to " + dir + "/file/reports");
  }

  @Test
  void unforeseenFailureIsInternalAndShowsItsTraceOnDemand() {
    Engine engine =
        RecordedEngine.ingesting(
            () -> {
              throw new IllegalStateException("first line\nsecond line with a row value");
            });

    assertThat(run(engine, "ingest", "--config", config).exitCode()).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "Failed (INTERNAL): java.lang.IllegalStateException: first line. Run it again with"
                + " --stacktrace to see where.")
        .doesNotContain("second line")
        .doesNotContain("\tat ");

    run(engine, "ingest", "--config", config, "--stacktrace");
    assertThat(err.toString()).contains("\tat io.rowmark.app.cli.TestCli");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ingets", "ingest --confg x", "ingest", "index", "config", "", "index bild"})
  void wrongCommandLineExitsWithTwo(String line) {
    Cli.Ended ended =
        run(RecordedEngine.working(), line.isEmpty() ? new String[0] : line.split(" "));

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(Objects.requireNonNull(ended.failure()).category()).isEqualTo(Category.CONFIG);
    assertThat(err.toString()).contains("Wrong command line: ").contains("--help.");
  }

  @Test
  void misspeltCommandAndOptionAreSuggested() {
    run(RecordedEngine.working(), "ingets");
    run(RecordedEngine.working(), "ingest", "--config", config, "--reprot", "x");

    assertThat(err.toString()).contains("Did you mean").contains("ingest").contains("--report");
  }

  @Test
  void configurationErrorStopsBeforeTheEngine() {
    RecordedEngine engine = RecordedEngine.working();
    Cli.Ended ended = run(engine, "ingest", "--config", config, "--set", "comit.mode=auto");

    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(engine.asked).isEmpty();
    assertThat(err.toString())
        .contains("Failed (CONFIG): command line: there is no setting comit. Did you mean commit?");
  }

  @Test
  void indexBuildNamesSizeAndTable() {
    RecordedEngine engine = RecordedEngine.working();
    run(engine, "index", "build", "--config", config, "--table", "shop.customers");

    assertThat(engine.asked).containsExactly("build shop.customers");
    assertThat(out.toString())
        .isEqualToIgnoringNewLines(
            "Index shop.customers__rowmark_index: 1,000 rows, 5 deleted keys, 2 files, 3,300 bytes"
                + " (3.30 a row), in 0.7 s.");
  }

  @Test
  void indexReconcileSaysWhatChanged() {
    ReconcileReport report =
        new ReconcileReport(
            ReconcileReport.Basis.COVERED_SNAPSHOT,
            "it covers snapshot 1 and the table is at 2",
            2,
            1,
            3,
            900,
            1000,
            900,
            4,
            5000,
            3300,
            2L,
            7L,
            700,
            1,
            Duplicates.NONE);
    RecordedEngine engine = RecordedEngine.reconciling(new Reconciliation.CaughtUp(report));
    run(engine, "index", "reconcile", "--config", config, "--table", "shop.customers");

    assertThat(engine.asked).containsExactly("reconcile shop.customers");
    assertThat(out.toString())
        .isEqualToIgnoringNewLines(
            "Index shop.customers__rowmark_index was behind (it covers snapshot 1 and the table is"
                + " at 2) and is up to date: 2 data files gone, 1 read, 3 with other deletes;"
                + " 1,000 entries dropped, 904 added, 5,000 kept; 3,300 bytes written, in 0.7 s.");
  }

  @Test
  void indexReconcileThatIsNotNeededOrNotPossibleSaysSo() {
    String[] command = {"index", "reconcile", "--config", config, "--table", "shop.customers"};
    run(RecordedEngine.working(), command);
    assertThat(out.toString())
        .isEqualToIgnoringNewLines(
            "Index shop.customers__rowmark_index is up to date; nothing was done.");

    Reconciliation needed = new Reconciliation.RebuildNeeded("it has layout version 0");
    assertThat(run(RecordedEngine.reconciling(needed), command).exitCode()).isEqualTo(5);
    assertThat(err.toString())
        .contains(
            "Index shop.customers__rowmark_index cannot be reconciled: it has layout version 0."
                + " Build it: rowmark index build --table shop.customers.");
  }

  @Test
  void indexIsForConfiguredKeyedTables() {
    Engine engine = RecordedEngine.working();

    assertThat(run(engine, "index", "build", "--config", config, "--table", "x.y").exitCode())
        .isEqualTo(3);
    assertThat(
            run(engine, "index", "verify", "--config", config, "--table", "shop.history")
                .exitCode())
        .isEqualTo(3);
    assertThat(err.toString())
        .contains("--table x.y is not in the configuration, which has shop.customers, shop.history")
        .contains("Table shop.history is append-only: it has no key and so no index.");
  }

  @Test
  void aTableWithEqualityDeletesHasNoIndexToVerifyOrBuild() {
    for (String command : List.of("verify", "build")) {
      RecordedEngine engine = RecordedEngine.working();
      Cli.Ended ended =
          run(
              engine,
              "index",
              command,
              "--config",
              config,
              "--table",
              "shop.customers",
              "--set",
              "tables.\"shop.customers\".delete-format=equality");
      assertThat(ended.exitCode()).isEqualTo(3);
      assertThat(engine.asked).isEmpty();
      assertThat(err.toString())
          .contains("Table shop.customers has no index: equality deletes (delete-format =");
    }
  }

  @Test
  void verifyFailsOnADifferenceAndListsExamples() {
    RecordedEngine engine =
        RecordedEngine.verifying(
            List.of(
                new Difference(
                    Difference.Kind.WRONG_PLACE, "a.parquet", 1L, "an entry is elsewhere"),
                new Difference(Difference.Kind.STALE_COVERAGE, null, null, "the index is old")));
    Cli.Ended ended =
        run(
            engine,
            "index",
            "verify",
            "--config",
            config,
            "--table",
            "shop.customers",
            "--sample",
            "12.5");

    assertThat(engine.asked).containsExactly("verify shop.customers 12.5");
    assertThat(ended.exitCode()).isEqualTo(5);
    assertThat(out.toString()).contains("  an entry is elsewhere").contains("  the index is old");
    assertThat(err.toString())
        .contains(
            "Index shop.customers__rowmark_index does not match table shop.customers: 2 differences among 5,000 rows.");
  }

  @Test
  void verifyAsJsonFailsOnADifferenceToo() {
    RecordedEngine engine =
        RecordedEngine.verifying(
            List.of(
                new Difference(
                    Difference.Kind.WRONG_PLACE, "a.parquet", 1L, "an entry is elsewhere")));
    assertThat(index(engine, "verify", "--json").exitCode()).isEqualTo(5);
    assertThat(out.toString())
        .startsWith("{")
        .contains(
            "\"agrees\" : false",
            "\"wrong-place\" : 1",
            "\"dataFile\" : \"a.parquet\"",
            "\"position\" : 1");
  }

  private Cli.Ended index(Engine engine, String command, String... more) {
    List<String> words = new ArrayList<>(List.of("index", command));
    words.addAll(List.of("--config", config, "--table", "shop.customers"));
    words.addAll(List.of(more));
    return run(engine, words.toArray(String[]::new));
  }

  @Test
  void aRepairSaysWhatItMendedAndADryRunFails() {
    RecordedEngine engine = RecordedEngine.working();
    assertThat(index(engine, "repair", "--dry-run", "--json").exitCode()).isEqualTo(5);
    assertThat(out.toString())
        .contains("\"outcome\" : \"differs\"", "\"wrong-place\" : 1")
        .doesNotContain("entriesAdded");
    assertThat(err.toString()).contains("has 1 differences from table shop.customers.");
    assertThat(index(engine, "repair").exitCode()).isZero();
    assertThat(out.toString())
        .contains("  an entry is elsewhere")
        .contains(
            "Mended index shop.customers__rowmark_index: 1 entries dropped, 1 added, 1,234 bytes written;"
                + " the mended keys were compared with 1 data files once more and agree; in 1.5 s.");
    assertThat(engine.asked)
        .containsExactly("repair shop.customers LOOK", "repair shop.customers MEND");
  }

  @Test
  void duplicatesFailAndNamePlaces() {
    assertThat(index(RecordedEngine.working(), "duplicates").exitCode()).isEqualTo(5);
    assertThat(out.toString())
        .contains(
            "  position 7 of data file 'a.parquet' (newest: position 0 of data file 'b.parquet')")
        .contains("Table shop.customers: 1 keys have several rows, 1 besides the newest of each.");
    index(RecordedEngine.working(), "duplicates", "--json");
    assertThat(out.toString()).contains("\"olderRows\" : 1", "\"newestFile\" : \"b.parquet\"");
  }

  @Test
  void aHistoryIsALineForEachPlace() {
    RecordedEngine engine = RecordedEngine.working();
    assertThat(index(engine, "history", "--key", "id=4711").exitCode()).isZero();
    assertThat(engine.asked).containsExactly("history shop.customers [4711]");
    assertThat(out.toString())
        .contains("2026-11-30T10:00:00Z  snapshot 1 to 1: no row (no batch)")
        .contains(
            "2026-11-30T10:01:00Z  snapshot 2 to 4: position 7 of a.parquet, order 1/40/3 (batch b-1)")
        .contains("2026-11-30T10:01:30Z  snapshot 5 to 5: deleted, order 1/41/1 (batch b-2)")
        .contains("keeps 5 snapshots, back to 2026-11-30T10:00:00Z (snapshot 1 of table")
        .contains("1 snapshots of the index in between do not say")
        .doesNotContain("4711");
    index(engine, "history", "--key", "id=4711", "--json");
    assertThat(out.toString())
        .contains(
            "\"oldest\" : \"2026-11-30T10:00:00Z\"", "\"deleted\" : true", "\"batch\" : \"b-2\"");
  }

  @Test
  void verifySaysThatAllMatches() {
    Cli.Ended ended =
        run(
            RecordedEngine.verifying(List.of()),
            "index",
            "verify",
            "--config",
            config,
            "--table",
            "shop.customers");

    assertThat(ended.exitCode()).isZero();
    assertThat(out.toString())
        .contains(
            "Index shop.customers__rowmark_index matches table shop.customers: 5,000 rows compared, no difference.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "101", "NaN", "some"})
  void sampleIsAShare(String sample) {
    Cli.Ended ended =
        run(
            RecordedEngine.working(),
            "index",
            "verify",
            "--config",
            config,
            "--table",
            "shop.customers",
            "--sample",
            sample);

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(err.toString()).contains("--sample");
  }

  @Test
  void configCheckAndShowTellWhatHolds() {
    assertThat(run(RecordedEngine.working(), "config", "check", "--config", config).exitCode())
        .isZero();
    assertThat(out.toString())
        .contains("Configuration of pipeline shop is valid: 1 keyed and 1 append-only tables.");

    run(RecordedEngine.working(), "config", "show", "--config", config, "--origins");
    assertThat(out.toString())
        .contains("max-files=10000")
        .contains("# " + config + ": 1")
        .contains("token=\"******\"")
        .doesNotContain("hunter");
  }

  @Test
  void everyCommandHasHelpAndVersion() {
    for (String command :
        List.of(
            "",
            "ingest ",
            "replay ",
            "check ",
            "index ",
            "index build ",
            "index reconcile ",
            "index verify ",
            "index repair ",
            "index duplicates ",
            "index history ",
            "config ",
            "config check ",
            "config show ",
            "quickstart ")) {
      assertThat(run(RecordedEngine.working(), (command + "--help").split(" ")).exitCode())
          .isZero();
      assertThat(run(RecordedEngine.working(), (command + "--version").split(" ")).exitCode())
          .isZero();
    }
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .contains("Usage: rowmark [")
        .contains("Usage: rowmark index verify [")
        .contains("Exit codes:")
        .contains("Iceberg 1.12.0");
  }

  private JsonNode onlyReport() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("reports"))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      return new ObjectMapper().readTree(all.get(0).toFile());
    }
  }
}
