package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.TableCheck;
import io.rowmark.app.report.CheckJson;
import io.rowmark.app.report.CheckPrinter;
import io.rowmark.app.report.CheckReport;
import io.rowmark.app.report.CheckReport.Choice;
import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.verdict.DeclaredReaders;
import io.rowmark.formats.verdict.ReaderJudge;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Audits a table, whoever writes it, and says which readers read it rightly. */
@Command(
    name = "check",
    description =
        "Audits any Iceberg table from its manifests and says which readers read it rightly;"
            + " changes nothing. With --catalog, tries the catalog instead.")
final class CheckCommand implements Callable<Integer> {
  private final Engine engine;

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description = "Table of the catalog, as in shop.orders; need not be in the configuration.")
  private String table = "";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--readers",
      paramLabel = "READER",
      split = ",",
      description =
          "Readers to judge, as in spark,trino,\"duckdb 1.4\" (default: those that the table's"
              + " property rowmark.readers declares, else all that are known).")
  private List<String> readers = new ArrayList<>();

  @Option(
      names = "--allow",
      paramLabel = "CONDITION",
      split = ",",
      description =
          "Conditions of partial abilities that hold for you, as in clickhouse/experimental.")
  private List<String> allowed = new ArrayList<>();

  @Option(
      names = "--snapshot",
      paramLabel = "ID",
      description = "Snapshot to audit (default: the current one).")
  private @Nullable Long snapshot;

  @Mixin private CatalogCheck catalog = new CatalogCheck();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  CheckCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    if (catalog.isAsked()) {
      requireNoTable();
      catalog.namespace();
      return catalog.run(engine, options.read(engine));
    }
    requireNamespace();
    AppConfig config = options.read(engine);
    CapabilityData data = config.pipeline().capabilities().data();
    List<String> named = readers.stream().map(String::strip).toList();
    // Misspelt names are told before any service is asked.
    Audience all = Audience.of(List.copyOf(data.engines()), allowed, data);
    Audience given = named.isEmpty() ? all : Audience.of(named, allowed, data);
    TableCheck check = engine.audit(config, table, snapshot);
    CheckReport report =
        named.isEmpty() && !check.declaredReaders().isEmpty()
            ? report(check, declared(check, data), Choice.TABLE, data)
            : report(check, given, named.isEmpty() ? Choice.ALL_KNOWN : Choice.NAMED, data);
    print(report);
    return outcome(report);
  }

  private void requireNoTable() {
    if (!table.isEmpty() || !readers.isEmpty() || !allowed.isEmpty() || snapshot != null || json) {
      throw catalog.wrong(
          "--catalog tries the catalog itself: TABLE, --readers, --allow, --snapshot and --json do"
              + " not go with it.");
    }
  }

  private void requireNamespace() {
    if (table.isEmpty()) {
      throw catalog.wrong("Name a table, or --catalog with --namespace.");
    }
    if (spec != null && !table.matches("[^.]+(\\.[^.]+)+")) {
      throw new ParameterException(
          spec.commandLine(),
          "'%s' is no table name. Write namespace and table, as in shop.orders.".formatted(table));
    }
  }

  private Audience declared(TableCheck check, CapabilityData data) {
    try {
      return Audience.of(check.declaredReaders(), allowed, data);
    } catch (RowmarkException e) {
      throw RowmarkException.tableState(
          "The property %s of table %s cannot be used: %s Correct the property, or name --readers."
              .formatted(DeclaredReaders.PROPERTY, table, e.getMessage()));
    }
  }

  private static CheckReport report(
      TableCheck check, Audience audience, Choice choice, CapabilityData data) {
    return new CheckReport(
        check.audit(), new ReaderJudge(data, audience).judge(check.audit()), choice, data.asOf());
  }

  private void print(CheckReport report) {
    PrintWriter out = Output.of(spec);
    if (json) {
      out.println(CheckJson.text(report));
    } else {
      CheckPrinter.print(out, report);
    }
    out.flush();
  }

  private Integer outcome(CheckReport report) {
    if (report.isReadableByAll()) {
      return ExitCodes.SUCCESS;
    }
    throw new RowmarkException(
        Category.UNREADABLE,
        RowmarkException.Retry.USELESS,
        "Table %s is not known to be read rightly by %s. The result above says why."
            .formatted(
                table,
                report.wrong().stream()
                    .map(verdict -> verdict.reader().text())
                    .collect(Collectors.joining(", "))),
        null);
  }
}
