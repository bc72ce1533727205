package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.ReplayPrinter;
import io.rowmark.app.run.ReplayRun;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.replay.ReplayRequest.Range;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings inputs again that the ledger has. */
@Command(
    name = "replay",
    description =
        "Brings inputs of the ledger again, for tables that lost them (rollback, restored backup),"
            + " and those that were passed over. Says what it would do, unless --apply is given.")
final class ReplayCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Mixin private ReportOption report = new ReportOption();

  @Option(
      names = "--from-batch",
      paramLabel = "ID",
      description = "First batch of the range (default: the first of the ledger).")
  private @Nullable String fromBatch;

  @Option(
      names = "--to-batch",
      paramLabel = "ID",
      description = "Last batch of the range (default: the last of the ledger).")
  private @Nullable String toBatch;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = InstantConverter.class,
      description = "Batches recorded at this time or later, as in 2026-11-01T00:00:00Z.")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = InstantConverter.class,
      description = "Batches recorded before this time.")
  private @Nullable Instant to;

  @Option(
      names = "--input",
      paramLabel = "GLOB",
      description =
          "Inputs whose names match, as in 'accounts/*.json'; * stays in a folder, ** does not.")
  private @Nullable String input;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Only inputs of this table (default: all tables).")
  private @Nullable String table;

  @Option(names = "--apply", description = "Bring the inputs.")
  private boolean apply;

  @Spec private @Nullable CommandSpec spec;

  ReplayCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    ReplayRequest request = new ReplayRequest(range(), table);
    AppConfig config = report.in(options.read(engine));
    if (apply) {
      new ReplayRun(engine, Output.of(spec)).run(config, request);
    } else {
      ReplayPlan plan = engine.replayPlan(config, request);
      ReplayPrinter.print(Output.of(spec), plan);
      plan.ready();
    }
    return ExitCodes.SUCCESS;
  }

  private Range range() {
    boolean byBatch = fromBatch != null || toBatch != null;
    boolean byTime = from != null || to != null;
    int ways = (byBatch ? 1 : 0) + (byTime ? 1 : 0) + (input != null ? 1 : 0);
    if (ways != 1) {
      throw new ParameterException(
          Objects.requireNonNull(spec, "picocli sets it").commandLine(),
          "Say which inputs to bring again, in one way: --from-batch and --to-batch, or --from and"
              + " --to, or --input.");
    }
    if (input != null) {
      return new ReplayRequest.Inputs(input);
    }
    return byTime
        ? new ReplayRequest.Times(from, to)
        : new ReplayRequest.Batches(fromBatch, toBatch);
  }
}
