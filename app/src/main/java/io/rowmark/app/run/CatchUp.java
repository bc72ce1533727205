package io.rowmark.app.run;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Batches;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.app.run.BatchRun.Detail;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Batch after batch on one session, until nothing is new. */
public final class CatchUp {
  private final BatchRun run;
  private final PrintWriter out;

  public CatchUp(Engine engine, PrintWriter out) {
    this.run = new BatchRun(engine, out);
    this.out = out;
  }

  /**
   * Runs until a batch finds nothing, {@code most} batches have run, or the process is asked to
   * stop, which it does between two batches.
   *
   * @param most at least 1
   * @throws RowmarkException of the first batch that failed; none is tried after it
   */
  public void run(AppConfig config, WantedInputs.New inputs, long most) {
    try (Batches batches = run.open(config, inputs);
        StopSignal stop = StopSignal.listen(batches.host())) {
      Set<String> made = new HashSet<>();
      String end = null;
      while (end == null) {
        BatchReport report = run.next(config, batches, Detail.LINE);
        end = end(report, made, most, stop);
      }
      out.println(end);
    }
  }

  /** Why no batch follows this one; null if one does. */
  private static @Nullable String end(
      BatchReport report, Set<String> made, long most, StopSignal stop) {
    String id = report.batchId();
    if (report.outcome() == Outcome.NOTHING_NEW || id == null) {
      return "Caught up after %s.".formatted(batches(made.size()));
    }
    if (!made.add(id)) {
      return "Stopped after %s: batch %s came again, so what waits does not get less."
          .formatted(batches(made.size()), id);
    }
    if (stop.received()) {
      return "Stopped after %s by the signal TERM; more input may wait."
          .formatted(batches(made.size()));
    }
    if (made.size() >= most) {
      return "Stopped after %s, as --max-batches says; more input may wait."
          .formatted(batches(made.size()));
    }
    return null;
  }

  /** A count of batches, for people. */
  static String batches(int count) {
    return count == 1 ? "1 batch" : count + " batches";
  }
}
