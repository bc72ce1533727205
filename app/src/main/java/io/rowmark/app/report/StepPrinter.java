package io.rowmark.app.report;

import io.rowmark.app.engine.Engine;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints one line for each step as it ends: name, time, counts. */
public final class StepPrinter implements Engine.Steps {
  private final PrintWriter out;

  public StepPrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void stepFinished(String step, String summary, Duration time) {
    out.printf("  %-10s %9s  %s%n", step, seconds(time), summary);
    out.flush();
  }

  /** A time for people: {@code 0.4 s}. */
  public static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }
}
