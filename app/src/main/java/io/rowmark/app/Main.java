package io.rowmark.app;

import io.rowmark.app.cli.Cli;
import io.rowmark.app.engine.SparkEngine;
import io.rowmark.formats.failure.RowmarkException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The entry for {@code spark-submit} and managed runtimes: success returns, failure throws. It
 * never exits the virtual machine, which may belong to someone else.
 */
public final class Main {
  private Main() {}

  /**
   * @throws RowmarkException when the command failed, after it has been printed
   */
  public static void main(String[] args) {
    Cli.Ended ended = Cli.run(new SparkEngine(), writer(System.out), writer(System.err), args);
    RowmarkException failure = ended.failure();
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Runs a command and tells how it ended as an exit code: 0 success, 1 internal, 2 usage, 3
   * config, 4 source, 5 table state, 6 conflict, 7 unknown commit, 8 unreadable.
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return Cli.run(new SparkEngine(), out, err, args).exitCode();
  }

  static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
