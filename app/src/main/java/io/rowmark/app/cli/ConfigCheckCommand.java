package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Engine;
import io.rowmark.merge.plan.TablePlanner;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads a configuration and says whether it holds together; reaches for no service. */
@Command(
    name = "check",
    description = "Says whether a configuration is complete and consistent; uses no service.")
final class ConfigCheckCommand implements Callable<Integer> {
  private final Engine engine;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Spec private @Nullable CommandSpec spec;

  ConfigCheckCommand(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Integer call() {
    AppConfig config = options.read(engine);
    TablePlanner planner = new TablePlanner(config.pipeline().capabilities());
    config.pipeline().tables().forEach(table -> planner.planNew(table).requireFormat());
    long keyed = config.pipeline().tables().stream().filter(table -> table.isKeyed()).count();
    Output.of(spec)
        .printf(
            "Configuration of pipeline %s is valid: %d keyed and %d append-only tables.%n",
            config.pipeline().name(), keyed, config.pipeline().tables().size() - keyed);
    return ExitCodes.SUCCESS;
  }
}
