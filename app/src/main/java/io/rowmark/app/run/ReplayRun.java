package io.rowmark.app.run;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Batches;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.app.run.BatchRun.Detail;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.replay.ReplayRequest;
import java.io.PrintWriter;

/** Brings inputs again, batch after batch on one session. */
public final class ReplayRun {
  private final BatchRun run;
  private final PrintWriter out;

  public ReplayRun(Engine engine, PrintWriter out) {
    this.run = new BatchRun(engine, out);
    this.out = out;
  }

  /**
   * Runs to the end of the range, or until the process is asked to stop. What was cut off is gone
   * on with by the same request.
   *
   * @throws RowmarkException when the replay is refused, or of the first batch that failed
   */
  public void run(AppConfig config, ReplayRequest request) {
    try (Batches batches = run.open(config, new WantedInputs.Again(request));
        StopSignal stop = StopSignal.listen(batches.host())) {
      int done = 0;
      while (batches.hasNext() && !stop.received()) {
        run.next(config, batches, Detail.LINE);
        done++;
      }
      String count = CatchUp.batches(done);
      out.println(
          batches.hasNext()
              ? "Stopped after %s by the signal TERM; more are left.".formatted(count)
              : "Replayed %s.".formatted(count));
    }
  }
}
