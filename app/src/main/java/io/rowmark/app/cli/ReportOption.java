package io.rowmark.app.cli;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.ReportSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where commands that run batches write their reports. */
final class ReportOption {
  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes the report of each batch as JSON into this folder.")
  private @Nullable String folder;

  /** The configuration with the folder, if one is given. */
  AppConfig in(AppConfig config) {
    return folder == null ? config : config.withReport(new ReportSpec(folder));
  }
}
