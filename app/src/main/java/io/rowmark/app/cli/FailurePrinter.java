package io.rowmark.app.cli;

import io.rowmark.app.config.SecretMask;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a failure as one block: category, what happened, and whether trying again helps. */
final class FailurePrinter {
  private final PrintWriter err;
  private @Nullable RowmarkException last;

  FailurePrinter(PrintWriter err) {
    this.err = err;
  }

  /** The failure that was printed; null if there was none. */
  @Nullable RowmarkException last() {
    return last;
  }

  /** Prints a failed run and says with which code to exit. */
  int print(Exception error, RootCommand.Traces traces) {
    if (error instanceof ParameterException usage) {
      return printUsage(usage);
    }
    RowmarkException known = within(error);
    RowmarkException failure = known == null ? unforeseen(error, traces) : known;
    last = failure;
    err.printf("%nFailed (%s): %s%n", failure.category(), failure.getMessage());
    err.println(advice(failure));
    if (traces == RootCommand.Traces.SHOWN) {
      failure.printStackTrace(err);
    }
    return ExitCodes.of(failure.category());
  }

  /** What a task on an executor threw comes wrapped in Spark's own exceptions. */
  private static @Nullable RowmarkException within(Exception error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof RowmarkException known) {
        return known;
      }
    }
    return null;
  }

  /** Prints a wrong command line, with suggestions and the way to the help. */
  int printUsage(ParameterException error) {
    String message = Objects.requireNonNullElse(error.getMessage(), "no message");
    err.printf("%nWrong command line: %s%n", message);
    UnmatchedArgumentException.printSuggestions(error, err);
    err.printf("See %s --help.%n", error.getCommandLine().getCommandSpec().qualifiedName());
    last = new RowmarkException(Category.CONFIG, RowmarkException.Retry.USELESS, message, error);
    return ExitCodes.USAGE;
  }

  /** First line only: messages of engines can hold whole query plans, and with them values. */
  private static RowmarkException unforeseen(Exception error, RootCommand.Traces traces) {
    String message = Objects.requireNonNullElse(error.getMessage(), "no message");
    String line = message.lines().findFirst().orElse("no message");
    String hint =
        traces == RootCommand.Traces.SHOWN ? "" : " Run it again with --stacktrace to see where.";
    return RowmarkException.internal(
        "%s: %s.%s"
            .formatted(
                error.getClass().getName(),
                SecretMask.withoutCredentials(line.replaceAll("\\.$", "")),
                hint),
        error);
  }

  private static String advice(RowmarkException failure) {
    String state =
        switch (failure.category()) {
          case CONFIG -> "No data was read or written.";
          case SOURCE -> "Nothing of this batch is visible.";
          case UNREADABLE -> "Nothing was written.";
          case UNKNOWN_COMMIT -> "Nothing was removed; the next run looks what became of it.";
          case TABLE_STATE, CONFLICT, INTERNAL -> "What was committed before stays valid.";
        };
    String again =
        failure.retryHelps()
            ? "The same command may succeed when run again."
            : "Running it again unchanged does not help.";
    return state + " " + again;
  }
}
