package io.rowmark.app.cli;

import io.rowmark.app.config.ConfigText;
import io.rowmark.app.config.EffectiveConfig;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the settings that hold, defaults included and secrets hidden. */
@Command(
    name = "show",
    description = "Prints the settings that hold, defaults included and secrets hidden.")
final class ConfigShowCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(names = "--origins", description = "Also show where each setting came from.")
  private boolean origins;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    EffectiveConfig config = options.load();
    ConfigText.Origins shown = origins ? ConfigText.Origins.SHOWN : ConfigText.Origins.HIDDEN;
    Output.of(spec).print(ConfigText.render(config, shown));
    return ExitCodes.SUCCESS;
  }
}
