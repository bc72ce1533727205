package io.rowmark.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a name: help, version, and what all commands share. */
@Command(
    name = "rowmark",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    description = "Ingests change data into Apache Iceberg tables that every engine can read.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:a fault of Rowmark itself, or of a service below it",
      "2:wrong command line",
      "3:wrong configuration",
      "4:the input cannot be read or does not fit",
      "5:a table is in a state that the command must not be applied to",
      "6:other writers kept winning the commit",
      "7:the catalog's answer was lost; the commit may or may not have landed",
      "8:a checked table has a reader that does not read it rightly"
    })
final class RootCommand implements Runnable {
  /** Whether failures come with their stack trace. */
  enum Traces {
    SHOWN,
    HIDDEN
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean stacktrace;

  Traces traces() {
    return stacktrace ? Traces.SHOWN : Traces.HIDDEN;
  }

  @Override
  public void run() {
    throw missingCommand(spec);
  }

  /** The error of a command that only groups others. */
  static ParameterException missingCommand(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the command's own description");
    }
    return new ParameterException(
        spec.commandLine(),
        "A command is missing. Known: " + String.join(", ", spec.subcommands().keySet()) + ".");
  }
}
