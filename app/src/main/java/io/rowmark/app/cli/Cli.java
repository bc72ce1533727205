package io.rowmark.app.cli;

import io.rowmark.app.engine.Engine;
import io.rowmark.formats.failure.RowmarkException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Runs one command line. */
public final class Cli {

  /**
   * How a command ended.
   *
   * @param exitCode see {@link ExitCodes}
   * @param failure null on success; it has been printed already
   */
  public record Ended(int exitCode, @Nullable RowmarkException failure) {}

  private Cli() {}

  /**
   * @param out for results
   * @param err for failures and usage
   */
  public static Ended run(Engine engine, PrintWriter out, PrintWriter err, String... args) {
    RootCommand root = new RootCommand();
    FailurePrinter failures = new FailurePrinter(err);
    CommandLine line = commandLine(engine, root);
    line.setOut(out);
    line.setErr(err);
    line.setExecutionExceptionHandler(
        (error, command, parsed) -> failures.print(error, root.traces()));
    line.setParameterExceptionHandler((error, given) -> failures.printUsage(error));
    int exitCode = line.execute(args);
    out.flush();
    err.flush();
    return new Ended(exitCode, failures.last());
  }

  static CommandLine commandLine(Engine engine, RootCommand root) {
    CommandLine index =
        new CommandLine(new IndexCommand())
            .addSubcommand(new IndexBuildCommand(engine))
            .addSubcommand(new IndexReconcileCommand(engine))
            .addSubcommand(new IndexVerifyCommand(engine))
            .addSubcommand(new IndexRepairCommand(engine))
            .addSubcommand(new IndexDuplicatesCommand(engine))
            .addSubcommand(new IndexLookupCommand(engine))
            .addSubcommand(new IndexHistoryCommand(engine));
    CommandLine config =
        new CommandLine(new ConfigCommand())
            .addSubcommand(new ConfigCheckCommand(engine))
            .addSubcommand(new ConfigShowCommand());
    return new CommandLine(root)
        .addSubcommand(new IngestCommand(engine))
        .addSubcommand(new ReplayCommand(engine))
        .addSubcommand(new PlanCommand(engine))
        .addSubcommand(new CheckCommand(engine))
        .addSubcommand(new ConvertCommand(engine))
        .addSubcommand(new PurgeCommand(engine))
        .addSubcommand(new MaintainCommand(engine))
        .addSubcommand(index)
        .addSubcommand(config)
        .addSubcommand(new QuickstartCommand(engine))
        .setUsageHelpAutoWidth(false);
  }
}
