package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.ReportSpec;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.run.BatchRun;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Takes one batch of new input files into the tables. */
@Command(
    name = "ingest",
    description = "Takes one batch of new input files into the tables. Running it again is safe.")
final class IngestCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes the report of the run as JSON into this folder.")
  private @Nullable String report;

  @Spec private @Nullable CommandSpec spec;

  IngestCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    AppConfig read = options.read(engine);
    AppConfig config = report == null ? read : read.withReport(new ReportSpec(report));
    new BatchRun(engine, Output.of(spec)).run(config);
    return ExitCodes.SUCCESS;
  }
}
