package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.app.run.BatchRun;
import io.rowmark.app.run.CatchUp;
import io.rowmark.merge.spec.Since;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes new input into the tables, in one batch or in as many as it needs. */
@Command(
    name = "ingest",
    description = "Takes one batch of new input files into the tables. Running it again is safe.")
final class IngestCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private ReportOption report = new ReportOption();

  @Option(
      names = "--until-caught-up",
      description =
          "Runs batch after batch on one Spark session until nothing is new. The signal TERM ends it"
              + " after the batch that runs; the first batch that fails ends it as well.")
  private boolean untilCaughtUp;

  @Option(
      names = "--max-batches",
      paramLabel = "N",
      description = "With --until-caught-up: ends after so many batches at the latest.")
  private @Nullable Long maxBatches;

  @Option(
      names = "--since",
      paramLabel = "TIME|BATCH",
      converter = SinceConverter.class,
      description =
          "Passes over new files that were modified before a time, as in 2026-11-01T00:00:00Z, or"
              + " before a batch of the ledger was recorded. They stay passed over: later runs do"
              + " not take them either, and 'rowmark replay' brings them.")
  private @Nullable Since since;

  @Spec private @Nullable CommandSpec spec;

  IngestCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    long most = mostBatches();
    AppConfig config = report.in(options.read(engine));
    WantedInputs.New inputs = new WantedInputs.New(since);
    if (untilCaughtUp) {
      new CatchUp(engine, Output.of(spec)).run(config, inputs, most);
    } else {
      new BatchRun(engine, Output.of(spec)).run(config, inputs);
    }
    return ExitCodes.SUCCESS;
  }

  private long mostBatches() {
    if (maxBatches == null) {
      return Long.MAX_VALUE;
    }
    if (!untilCaughtUp) {
      throw wrong("--max-batches needs --until-caught-up; without it one batch runs.");
    }
    if (maxBatches < 1) {
      throw wrong("--max-batches is %d, but must be at least 1.".formatted(maxBatches));
    }
    return maxBatches;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(
        Objects.requireNonNull(spec, "picocli sets it").commandLine(), message);
  }
}
