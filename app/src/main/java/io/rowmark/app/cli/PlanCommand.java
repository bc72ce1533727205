package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.report.PlanPrinter;
import io.rowmark.merge.plan.BatchPlan;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says how each table is written and why, and what the next batch would do. */
@Command(
    name = "plan",
    description =
        "Says how each table is written and why, and what the next batch would do. Writes nothing"
            + " unless --apply is given.")
final class PlanCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--apply",
      description =
          "Take the steps that change existing tables: format upgrade, conversion of deletes,"
              + " changed readers, index.")
  private boolean apply;

  @Spec private @Nullable CommandSpec spec;

  PlanCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    AppConfig config = options.read(engine);
    PrintWriter out = Output.of(spec);
    BatchPlan plan = engine.plan(config);
    PlanPrinter.print(out, plan);
    out.flush();
    plan.tables().forEach(table -> table.plan().requireFormat());
    if (apply) {
      out.println();
      engine.applyPlan(
          config,
          (table, line) -> {
            out.printf("%s: %s%n", table, line);
            out.flush();
          });
      out.println("All steps are taken.");
    }
    return ExitCodes.SUCCESS;
  }
}
