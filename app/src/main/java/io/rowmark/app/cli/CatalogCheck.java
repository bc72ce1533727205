package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.ProbePrinter;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.probe.ProbeReport;
import io.rowmark.merge.probe.ProtocolChoice.Fit;
import java.io.PrintWriter;
import org.apache.iceberg.catalog.Namespace;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options with which {@code check} tries the catalog and audits no table. */
final class CatalogCheck {
  @Option(
      names = "--catalog",
      description =
          "Try on scratch tables what the catalog really does, and say how ingest will commit"
              + " there; takes --namespace and no TABLE.")
  private boolean catalog;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "With --catalog: where the scratch tables (rowmark_probe_…) are created; they are removed"
              + " at the end.")
  private @Nullable String namespace;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * Whether the catalog is to be tried.
   *
   * @throws ParameterException for a namespace without the catalog
   */
  boolean isAsked() {
    if (!catalog && namespace != null) {
      throw wrong("--namespace goes with --catalog only.");
    }
    return catalog;
  }

  /** The namespace asked for. */
  Namespace namespace() {
    if (namespace == null) {
      throw wrong("--catalog needs --namespace: where scratch tables may be created.");
    }
    String[] levels = namespace.split("\\.", -1);
    for (String level : levels) {
      if (level.isBlank()) {
        throw wrong(
            "--namespace is '%s', but must be names separated by dots.".formatted(namespace));
      }
    }
    return Namespace.of(levels);
  }

  /**
   * @throws RowmarkException CONFIG when ingest would not be safe as configured
   */
  int run(Engine engine, AppConfig config) {
    PrintWriter out = Output.of(command);
    ProbeReport report = engine.probeCatalog(config, namespace());
    ProbePrinter.print(report, out);
    out.flush();
    if (report.protocol().fit() == Fit.UNSAFE) {
      throw RowmarkException.config(
          "Catalog %s is not safe for ingest as configured. %s"
              .formatted(report.catalog(), report.protocol().advice()));
    }
    return ExitCodes.SUCCESS;
  }

  /** An error of the command line. */
  ParameterException wrong(String message) {
    if (command == null) {
      throw new IllegalStateException("picocli has not set the command's own description");
    }
    return new ParameterException(command.commandLine(), message);
  }
}
