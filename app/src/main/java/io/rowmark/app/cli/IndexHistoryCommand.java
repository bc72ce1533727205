package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.IndexJson;
import io.rowmark.app.report.IndexPrinter;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says where the row of a key was in earlier snapshots; changes nothing. */
@Command(
    name = "history",
    description =
        "Says where the row of a key was in earlier snapshots of the table, as far back as the index"
            + " keeps snapshots; changes nothing.")
final class IndexHistoryCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();
  @Mixin private KeyOption key = new KeyOption();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  IndexHistoryCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    KeyHistory history = engine.care().history(config, spec, key.values(spec));
    out.println(json ? IndexJson.history(history) : IndexPrinter.history(history));
    out.flush();
    return ExitCodes.SUCCESS;
  }
}
