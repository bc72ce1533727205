package io.rowmark.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Groups the commands on index tables. */
@Command(
    name = "index",
    description = "Builds, reconciles, verifies, repairs or asks the index of a table.")
final class IndexCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw RootCommand.missingCommand(spec);
  }
}
