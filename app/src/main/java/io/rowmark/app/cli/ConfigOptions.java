package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.engine.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that name a configuration. */
final class ConfigOptions {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "Configuration file (HOCON); conf/ holds samples.")
  private Path file = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Overrides one setting, as in --set commit.attempts=5. May be repeated.")
  private List<String> overrides = new ArrayList<>();

  EffectiveConfig load() {
    return EffectiveConfig.load(file, overrides);
  }

  AppConfig read(Engine engine) {
    return new AppConfigReader(engine::sourceType).read(load());
  }
}
