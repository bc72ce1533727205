package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.IndexJson;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.verify.VerifyReport;
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

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec command;

  IndexVerifyCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    if (command != null && !(sample > 0 && sample <= 100)) {
      throw new ParameterException(
          command.commandLine(),
          "--sample is %s, but must be above 0 and up to 100.".formatted(sample));
    }
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    String index = spec.table() + config.pipeline().index().suffix();
    VerifyReport report = engine.verifyIndex(config, spec, sample);
    if (json) {
      out.println(IndexJson.verified(spec.table(), index, report));
      out.flush();
    }
    if (!report.agrees()) {
      if (!json) {
        report.differences().forEach(difference -> out.println("  " + difference.detail()));
        out.flush();
      }
      throw RowmarkException.tableState(
          ("Index %s does not match table %s: %s differences among %s rows. Mend it:"
                  + " rowmark index repair --table %s.")
              .formatted(
                  index,
                  spec.table(),
                  ReportPrinter.grouped(report.differenceCount()),
                  ReportPrinter.grouped(report.rowsInTable()),
                  spec.table()));
    }
    if (!json) {
      out.printf(
          "Index %s matches table %s: %s rows compared, no difference.%n",
          index, spec.table(), ReportPrinter.grouped(report.rowsInTable()));
    }
    return ExitCodes.SUCCESS;
  }
}
