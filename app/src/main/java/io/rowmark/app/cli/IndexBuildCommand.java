package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.IndexBuilt;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.StepPrinter;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Builds the index of an existing table. */
@Command(
    name = "build",
    description = "Builds the index of an existing table, replacing the one it has.")
final class IndexBuildCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();
  @Spec private @Nullable CommandSpec spec;

  IndexBuildCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    AppConfig config = options.read(engine);
    IndexBuilt built = engine.buildIndex(config, table.checked(config), new StepPrinter(out));
    out.printf(
        "Index %s: %s entries in %s files, %s bytes (%s a row).%n",
        built.index(),
        ReportPrinter.grouped(built.entries()),
        ReportPrinter.grouped(built.files()),
        ReportPrinter.grouped(built.bytes()),
        String.format(
            Locale.ROOT, "%.2f bytes", built.bytes() / (double) Math.max(1, built.entries())));
    return ExitCodes.SUCCESS;
  }
}
