package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.IndexJson;
import io.rowmark.app.report.IndexPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.repair.IndexRepairer.Mode;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.index.repair.RepairReport.Outcome;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mends the entries of an index that are wrong. */
@Command(
    name = "repair",
    description = {
      "Compares an index with its table and mends the entries of keys that differ, in one commit;",
      "all other entries stay as they are."
    })
final class IndexRepairCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(names = "--dry-run", description = "Say what would be mended, and change nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  IndexRepairCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    RepairReport report = engine.care().repair(config, spec, dryRun ? Mode.LOOK : Mode.MEND);
    out.println(json ? IndexJson.repair(report) : IndexPrinter.repair(report));
    out.flush();
    if (report.outcome() == Outcome.DIFFERS) {
      throw RowmarkException.tableState(
          "Index %s has %d differences from table %s. Run 'rowmark index repair --table %s' without --dry-run."
              .formatted(report.index(), report.differenceCount(), report.table(), report.table()));
    }
    return ExitCodes.SUCCESS;
  }
}
