package io.rowmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.failure.Category;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayPlan.Found;
import io.rowmark.merge.replay.ReplayPlan.Input;
import io.rowmark.merge.replay.ReplayPlan.Kept;
import io.rowmark.merge.replay.ReplayPlan.Refusal;
import io.rowmark.merge.replay.ReplayPlan.SetBack;
import io.rowmark.merge.replay.ReplayPlan.Step;
import io.rowmark.merge.source.SourceBatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestReplayCommand {
  private static final String CONFIG =
      """
      pipeline = shop
      catalog.properties { type = hadoop, warehouse = "/warehouse" }
      source.path = "/landing"
      ledger.table = "shop.ledger"
      table-defaults.readers = [spark]
      tables { "shop.customers" { topic = customers, key = [id] } }
      """;
  private static final Step STEP =
      new Step(
          "b-1",
          Instant.parse("2026-11-30T10:00:00Z"),
          List.of(
              new Input("shop.customers", "customers/a.json", 1234, Found.THERE, Kept.LOST),
              new Input("shop.customers", "customers/b.json", 5, Found.MISSING, Kept.UNKNOWN)),
          new SourceBatch("b-2", List.of(), List.of(), List.of(), ""));

  @TempDir private Path folder;
  private String config = "";
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeConfig() throws IOException {
    config = Files.writeString(folder.resolve("shop.conf"), CONFIG).toString();
  }

  private int run(RecordedEngine engine, String... more) {
    List<String> args = new ArrayList<>(List.of("replay", "--config", config));
    args.addAll(List.of(more));
    return Cli.run(engine, new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new))
        .exitCode();
  }

  @Test
  void thePlanIsPrintedAndNothingElseIsDone() {
    ReplayPlan plan =
        new ReplayPlan(
            List.of(STEP),
            List.of(new SetBack(TableIdentifier.of("shop", "customers__rowmark_index"), 7)),
            List.of());
    RecordedEngine engine = RecordedEngine.replaying(plan);

    assertThat(run(engine, "--from-batch", "b-1")).isZero();

    assertThat(engine.asked)
        .containsExactly("ReplayRequest[range=Batches[from=b-1, to=null], table=null]");
    assertThat(out.toString().lines())
        .containsExactly(
            "A replay would bring 2 inputs, 1,239 bytes, in 1 batches:",
            "  batch              recorded           table             input  bytes     file  in the"
                + " table",
            "  b-1    2026-11-30T10:00:00Z  shop.customers  customers/a.json  1,234    there         "
                + " lost",
            "  b-1    2026-11-30T10:00:00Z  shop.customers  customers/b.json      5  missing      "
                + " unknown",
            "Index shop.customers__rowmark_index would be set back to snapshot 7, to forget what its"
                + " table lost.",
            "Nothing was changed; --apply does it.");
  }

  @Test
  void aRefusedPlanIsAFailureOfItsCategory() {
    ReplayPlan plan =
        new ReplayPlan(
            List.of(STEP),
            List.of(),
            List.of(
                new Refusal(Category.TABLE_STATE, "One reason."),
                new Refusal(Category.SOURCE, "And another.")));

    assertThat(run(RecordedEngine.replaying(plan), "--input", "**")).isEqualTo(5);

    assertThat(out.toString()).contains("Refused: One reason.").doesNotContain("--apply does it");
    assertThat(err.toString()).contains("Failed (TABLE_STATE): One reason. And another.");
  }

  @Test
  void applyRunsTheBatchesOfTheRange() {
    RecordedEngine engine = RecordedEngine.working();

    assertThat(
            run(
                engine,
                "--from",
                "2026-11-01T01:00:00+01:00",
                "--table",
                "shop.customers",
                "--apply",
                "--report",
                folder + "/reports"))
        .isZero();

    assertThat(engine.asked.get(0))
        .isEqualTo(
            "Again[request=ReplayRequest[range=Times[from=2026-11-01T00:00:00Z, to=null],"
                + " table=shop.customers]]");
    assertThat(out.toString()).contains("Committed batch b-1", "Replayed 1 batch.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--input a --from-batch b",
        "--from 2026-11-01T00:00:00Z --to-batch b",
        "--from 2026-11-01",
        "--to yesterday"
      })
  void theRangeIsSaidInOneWayAndWithZones(String line) {
    assertThat(run(RecordedEngine.working(), line.isEmpty() ? new String[0] : line.split(" ")))
        .isEqualTo(2);
  }
}
