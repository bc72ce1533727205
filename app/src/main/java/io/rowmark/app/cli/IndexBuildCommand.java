package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.StepPrinter;
import io.rowmark.index.build.BuildReport;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.time.Duration;
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
  @Spec private @Nullable CommandSpec command;

  IndexBuildCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    BuildReport built = engine.buildIndex(config, spec);
    double bytesPerRow = built.bytes() / (double) Math.max(1, built.rows());
    out.printf(
        "Index %s: %s rows, %s deleted keys, %s files, %s bytes (%s a row), in %s.%n",
        spec.table() + config.pipeline().index().suffix(),
        ReportPrinter.grouped(built.rows()),
        ReportPrinter.grouped(built.tombstones()),
        ReportPrinter.grouped(built.files()),
        ReportPrinter.grouped(built.bytes()),
        String.format(Locale.ROOT, "%.2f", bytesPerRow),
        StepPrinter.seconds(Duration.ofMillis(built.millis())));
    if (!built.duplicates().isEmpty()) {
      out.printf("Deleted from the table: %s.%n", built.duplicates().text());
    }
    return ExitCodes.SUCCESS;
  }
}
