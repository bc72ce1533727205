package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.MaintainJson;
import io.rowmark.app.report.MaintainPrinter;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.MaintainRequest;
import io.rowmark.merge.maintain.MaintainTask;
import io.rowmark.merge.spec.TableSpec;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes tables cheaper to read, with their indexes, and takes away what nobody needs. */
@Command(
    name = "maintain",
    description = {
      "Drops dead data files, rewrites small ones and those with many dead rows, merges the files of"
          + " indexes and of the ledger, expires snapshots, and lists orphan files.",
      "Indexes follow: the next batch need not catch up. Rows keep their ids. See docs/maintain.md."
    })
final class MaintainCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--table",
      paramLabel = "NAME",
      split = ",",
      description = "Table of the configuration, as in shop.orders (default: all of them).")
  private List<String> tables = new ArrayList<>();

  @Option(
      names = "--only",
      paramLabel = "TASK",
      split = ",",
      description =
          "What to do: files, index, ledger, expire, orphans (default: all of them, in this order).")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "32 GiB",
      converter = SizeConverter.class,
      description =
          "Bytes of data files that one commit rewrites, as in 512 MiB (default: ${DEFAULT-VALUE}).")
  private long maxBytes;

  @Option(
      names = "--max-commits",
      paramLabel = "N",
      defaultValue = "1000000",
      hideParamSyntax = true,
      description =
          "Commits of this run that rewrite or drop data files, for each table; the next run goes on"
              + " (default: no limit).")
  private int maxCommits;

  @Option(names = "--dry-run", description = "Say what would be done, and change nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  MaintainCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    if (maxCommits < 1) {
      throw wrong("--max-commits is %d, but must be at least 1.".formatted(maxCommits));
    }
    MaintainRequest request = new MaintainRequest(tasks(), maxBytes, maxCommits, Instant.now());
    AppConfig config = options.read(engine);
    List<String> names =
        tables.isEmpty()
            ? config.pipeline().tables().stream().map(TableSpec::table).toList()
            : tables;
    PrintWriter out = Output.of(spec);
    MaintainPrinter printer =
        new MaintainPrinter(json ? new PrintWriter(Writer.nullWriter()) : out);
    if (dryRun) {
      List<MaintainOutlook> outlooks = engine.maintainOutlook(config, names, request);
      outlooks.forEach(printer::begins);
      if (json) {
        out.println(MaintainJson.outlooks(outlooks));
      }
    } else {
      List<MaintainReport> reports = engine.maintain(config, names, request, printer);
      printer.end(reports);
      if (json) {
        out.println(MaintainJson.reports(reports));
      }
    }
    out.flush();
    return ExitCodes.SUCCESS;
  }

  private Set<MaintainTask> tasks() {
    if (only.isEmpty()) {
      return EnumSet.allOf(MaintainTask.class);
    }
    Set<MaintainTask> tasks = EnumSet.noneOf(MaintainTask.class);
    for (String word : only) {
      tasks.add(task(word));
    }
    return tasks;
  }

  private MaintainTask task(String word) {
    for (MaintainTask task : MaintainTask.values()) {
      if (task.name().toLowerCase(Locale.ROOT).equals(word)) {
        return task;
      }
    }
    throw wrong(
        "--only names '%s', which is no task. Known: files, index, ledger, expire, orphans."
            .formatted(word));
  }

  private ParameterException wrong(String message) {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the command's own description");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
