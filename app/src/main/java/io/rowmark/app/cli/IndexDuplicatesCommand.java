package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.IndexJson;
import io.rowmark.app.report.IndexPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds keys that several rows have; changes nothing. */
@Command(
    name = "duplicates",
    description = {
      "Finds rows of a table whose key another row has; changes nothing and needs no index.",
      "Fails when there are some."
    })
final class IndexDuplicatesCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  IndexDuplicatesCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    DuplicateReport report = engine.care().duplicates(config, spec);
    out.println(json ? IndexJson.duplicates(report) : IndexPrinter.duplicates(report));
    out.flush();
    if (!report.duplicates().isEmpty()) {
      throw RowmarkException.tableState(
          "Table %s has %d keys with several rows. Delete the rows that are wrong; or set duplicate-keys = keep-newest for the table and run 'rowmark index reconcile', 'build' or 'repair'."
              .formatted(report.table(), report.duplicates().keys()));
    }
    return ExitCodes.SUCCESS;
  }
}
