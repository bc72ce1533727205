package io.rowmark.app.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command prints its results. */
final class Output {
  private Output() {}

  static PrintWriter of(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "picocli sets it").commandLine().getOut();
  }
}
