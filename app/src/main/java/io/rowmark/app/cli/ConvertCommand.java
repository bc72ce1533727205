package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.ConvertJson;
import io.rowmark.app.report.ConvertPrinter;
import io.rowmark.index.publish.Branches;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import io.rowmark.merge.convert.ConvertRequest;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Turns deletes by key into deletes by position, in place or from branch to branch. */
@Command(
    name = "convert",
    description = {
      "Turns equality deletes into position deletes (format version 2) or deletion vectors (version"
          + " 3), and on version 3 position deletes too, whoever wrote them.",
      "With --from-branch and --to-branch, shows on one branch what a streaming writer commits to"
          + " another."
    })
final class ConvertCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--table",
      paramLabel = "NAME",
      split = ",",
      description =
          "Table of the catalog, as in shop.orders; need not be in the configuration (default: all"
              + " keyed tables of the configuration).")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "32 GiB",
      converter = SizeConverter.class,
      description =
          "Bytes of data files that one commit takes, as in 512 MiB (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(
      names = "--max-commits",
      paramLabel = "N",
      defaultValue = "1000000",
      hideParamSyntax = true,
      description = "Commits of this run for each table; the next run goes on (default: no limit).")
  private int maxCommits;

  @Option(
      names = "--from-branch",
      paramLabel = "BRANCH",
      description = "Branch that a streaming writer commits to; goes with --to-branch.")
  private @Nullable String fromBranch;

  @Option(
      names = "--to-branch",
      paramLabel = "BRANCH",
      description = "Branch that shows it and that nobody else writes, as in main.")
  private @Nullable String toBranch;

  @Option(
      names = "--snapshots-per-commit",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Snapshots of --from-branch that one commit of --to-branch takes together (default: all"
              + " there are).")
  private int snapshots;

  @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  ConvertCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    ConvertRequest request = new ConvertRequest(branches(), maxBytes, maxCommits, snapshots);
    check();
    AppConfig config = options.read(engine);
    List<String> names = tables.isEmpty() ? keyed(config) : tables;
    PrintWriter out = Output.of(spec);
    ConvertPrinter printer = new ConvertPrinter(json ? new PrintWriter(Writer.nullWriter()) : out);
    if (dryRun) {
      List<ConvertOutlook> outlooks = engine.convertOutlook(config, names, request);
      outlooks.forEach(printer::begins);
      if (json) {
        out.println(ConvertJson.outlooks(outlooks));
      }
    } else {
      List<ConvertReport> reports = engine.convert(config, names, request, printer);
      printer.end(reports);
      if (json) {
        out.println(ConvertJson.reports(reports));
      }
    }
    out.flush();
    return ExitCodes.SUCCESS;
  }

  private @Nullable Branches branches() {
    if (fromBranch == null && toBranch == null) {
      return null;
    }
    if (fromBranch == null || toBranch == null) {
      throw wrong("--from-branch and --to-branch go together.");
    }
    if (fromBranch.equals(toBranch)) {
      throw wrong(
          "--from-branch and --to-branch are both '%s'. Leave both out to convert in place."
              .formatted(fromBranch));
    }
    return new Branches(fromBranch, toBranch);
  }

  private void check() {
    if (maxCommits < 1) {
      throw wrong("--max-commits is %d, but must be at least 1.".formatted(maxCommits));
    }
    if (snapshots < 0) {
      throw wrong("--snapshots-per-commit is %d, but must be at least 1.".formatted(snapshots));
    }
    if (snapshots > 0 && fromBranch == null) {
      throw wrong("--snapshots-per-commit goes with --from-branch only.");
    }
    for (String table : tables) {
      if (!table.matches("[^.]+(\\.[^.]+)+")) {
        throw wrong(
            "'%s' is no table name. Write namespace and table, as in shop.orders."
                .formatted(table));
      }
    }
  }

  private static List<String> keyed(AppConfig config) {
    return config.pipeline().tables().stream()
        .filter(table -> table.isKeyed())
        .map(TableSpec::table)
        .toList();
  }

  private ParameterException wrong(String message) {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the command's own description");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
