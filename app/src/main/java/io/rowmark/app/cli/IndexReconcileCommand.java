package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.StepPrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.reconcile.ReconcileLimits;
import io.rowmark.index.reconcile.ReconcileReport;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.reconcile.Reconciliation.CaughtUp;
import io.rowmark.index.reconcile.Reconciliation.RebuildNeeded;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings an index up to date; a batch does the same when it needs to. */
@Command(
    name = "reconcile",
    description = {
      "Brings the index of a table up to date from what others changed in the table:",
      "reads only data files that the index does not know."
    })
final class IndexReconcileCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--rows-per-commit",
      paramLabel = "N",
      defaultValue = "50000000",
      description =
          "Rows of the data files that one commit reads; a run that is cut off is gone on with behind"
              + " its last commit (default: ${DEFAULT-VALUE}).")
  private long rowsPerCommit;

  @Spec private @Nullable CommandSpec command;

  IndexReconcileCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(command);
    if (command != null && rowsPerCommit < 1) {
      throw new ParameterException(
          command.commandLine(),
          "--rows-per-commit is %d, but must be at least 1.".formatted(rowsPerCommit));
    }
    AppConfig config = options.read(engine);
    TableSpec spec = table.checked(config);
    String index = spec.table() + config.pipeline().index().suffix();
    Reconciliation outcome =
        engine.reconcileIndex(config, spec, new ReconcileLimits(rowsPerCommit));
    if (outcome instanceof RebuildNeeded needed) {
      throw RowmarkException.tableState(
          "Index %s cannot be reconciled: %s. Build it: rowmark index build --table %s."
              .formatted(index, needed.reason(), spec.table()));
    }
    if (outcome instanceof CaughtUp done) {
      print(out, index, done.report());
    } else {
      out.printf("Index %s is up to date; nothing was done.%n", index);
    }
    return ExitCodes.SUCCESS;
  }

  private static void print(PrintWriter out, String index, ReconcileReport report) {
    out.printf(
        "Index %s was behind (%s) and is up to date: %s data files gone, %s read, %s with other deletes;"
            + " %s entries dropped, %s added, %s kept; %s bytes written%s, in %s.%n",
        index,
        report.reason(),
        ReportPrinter.grouped(report.filesVanished()),
        ReportPrinter.grouped(report.filesRead()),
        ReportPrinter.grouped(report.filesMasked()),
        ReportPrinter.grouped(report.entriesDropped()),
        ReportPrinter.grouped(report.entriesAdded() + report.tombstones()),
        ReportPrinter.grouped(report.entriesKept()),
        ReportPrinter.grouped(report.bytes()),
        report.commits() == 1 ? "" : " in %d commits".formatted(report.commits()),
        StepPrinter.seconds(Duration.ofMillis(report.millis())));
    if (!report.duplicates().isEmpty()) {
      out.printf("Deleted from the table: %s.%n", report.duplicates().text());
    }
  }
}
