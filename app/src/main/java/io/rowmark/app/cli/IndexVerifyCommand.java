package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.IndexChecked;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.StepPrinter;
import io.rowmark.formats.failure.RowmarkException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares an index with its table; changes nothing. */
@Command(
    name = "verify",
    description = "Compares an index with its table, both ways; changes nothing.")
final class IndexVerifyCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--sample",
      paramLabel = "PERCENT",
      defaultValue = "100",
      description = "Share of the rows to compare, above 0 and up to 100 (default: all).")
  private double sample;

  @Spec private @Nullable CommandSpec spec;

  IndexVerifyCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    if (spec != null && !(sample > 0 && sample <= 100)) {
      throw new ParameterException(
          spec.commandLine(),
          "--sample is %s, but must be above 0 and up to 100.".formatted(sample));
    }
    AppConfig config = options.read(engine);
    String name = table.checked(config);
    IndexChecked checked = engine.verifyIndex(config, name, sample, new StepPrinter(out));
    if (checked.differences() > 0) {
      checked.examples().forEach(example -> out.println("  " + example));
      out.flush();
      throw RowmarkException.tableState(
          ("Index %s does not match table %s: %s differences among %s rows. Build it again:"
                  + " rowmark index build --table %s.")
              .formatted(
                  checked.index(),
                  name,
                  ReportPrinter.grouped(checked.differences()),
                  ReportPrinter.grouped(checked.compared()),
                  name));
    }
    out.printf(
        "Index %s matches table %s: %s rows compared, no difference.%n",
        checked.index(), name, ReportPrinter.grouped(checked.compared()));
    return ExitCodes.SUCCESS;
  }
}
