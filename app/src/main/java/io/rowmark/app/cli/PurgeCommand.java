package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.PurgeJson;
import io.rowmark.app.report.PurgePrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes keys out of every live file of a table and its index, or proves that they are gone. */
@Command(
    name = "purge",
    description = {
      "Takes rows out of a table for good, by their keys: out of every live file of the table and of"
          + " its index, deleted rows that still lie there among them.",
      "With --prove, says whether any file that a snapshot still names holds one of the keys."
    })
final class PurgeCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--keys",
      required = true,
      paramLabel = "FILE",
      description =
          "The keys: .csv with the key columns in the first line, or .json with one object a line.")
  private String keys = "";

  @Option(names = "--dry-run", description = "Say where the keys lie, and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--prove",
      description =
          "Look into every file that any snapshot of the table and its index names; fails if one"
              + " holds a key. Changes nothing.")
  private boolean prove;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  PurgeCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    if (dryRun && prove && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "--prove changes nothing; leave out --dry-run.");
    }
    AppConfig config = options.read(engine);
    TableSpec named = table.keyed(config);
    if (prove) {
      prove(out, config, named);
    } else {
      PurgeReport report =
          dryRun ? engine.purgeOutlook(config, named, keys) : engine.purge(config, named, keys);
      if (json) {
        out.println(PurgeJson.of(report));
      } else {
        new PurgePrinter(out).print(report, dryRun ? PurgePrinter.Run.DRY : PurgePrinter.Run.REAL);
      }
      out.flush();
    }
    return ExitCodes.SUCCESS;
  }

  private void prove(PrintWriter out, AppConfig config, TableSpec named) {
    ProofReport report = engine.provePurge(config, named, keys);
    if (json) {
      out.println(PurgeJson.of(report));
    } else {
      new PurgePrinter(out).print(report);
    }
    out.flush();
    if (!report.isProven()) {
      long live = report.holders().stream().filter(PurgePrinter::isLive).count();
      throw RowmarkException.tableState(
          "It is not proven that the keys are gone from table %s: %d files that snapshots still name hold one, %d of them live. %s"
              .formatted(
                  report.table(),
                  report.holders().size(),
                  live,
                  live > 0
                      ? "Run 'rowmark purge' with the same keys first."
                      : "Expire the snapshots that are listed, of the table and of its index, and run this again."));
    }
  }
}
