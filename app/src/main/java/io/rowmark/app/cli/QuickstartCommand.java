package io.rowmark.app.cli;

import io.rowmark.app.engine.Engine;
import io.rowmark.app.quickstart.Quickstart;
import io.rowmark.app.quickstart.WorkingFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the demo. */
@Command(
    name = "quickstart",
    description =
        "Runs the demo: an embedded catalog, two days of captured changes, and what became of them.")
final class QuickstartCommand implements Callable<Integer> {
  private final Engine engine;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Empty or new folder to work in (default: a temporary one).")
  private @Nullable Path dir;

  @Option(names = "--keep", description = "Keep the tables; otherwise they are removed at the end.")
  private boolean keep;

  @Spec private @Nullable CommandSpec spec;

  QuickstartCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    WorkingFolder.AtEnd atEnd = keep ? WorkingFolder.AtEnd.KEPT : WorkingFolder.AtEnd.REMOVED;
    try (WorkingFolder folder =
        dir == null ? WorkingFolder.temporary(atEnd) : WorkingFolder.at(dir, atEnd)) {
      new Quickstart(engine, out).run(Quickstart.home(), folder.path());
      if (keep) {
        out.println();
        out.println("The tables and their catalog are in " + folder.path());
      }
    }
    return ExitCodes.SUCCESS;
  }
}
