package io.rowmark.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Groups the commands on configurations. */
@Command(name = "config", description = "Checks or shows a configuration.")
final class ConfigCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw RootCommand.missingCommand(spec);
  }
}
