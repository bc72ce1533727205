package io.rowmark.integration.crash;

import io.rowmark.merge.StepListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets others act between what a batch resolved and its commit, and counts what it writes. */
final class Meanwhile implements StepListener {
  private final Runnable others;
  private final AtomicInteger staged = new AtomicInteger();
  private final AtomicInteger rowsWritten = new AtomicInteger();
  private final int times;

  private Meanwhile(int times, Runnable others) {
    this.times = times;
    this.others = others;
  }

  /** Others act before the first commit. */
  static Meanwhile once(Runnable others) {
    return new Meanwhile(1, others);
  }

  /** Others act before each of the first commits. */
  static Meanwhile times(int times, Runnable others) {
    return new Meanwhile(times, others);
  }

  /** How often rows were written. */
  int rowsWritten() {
    return rowsWritten.get();
  }

  @Override
  public void reached(Checkpoint checkpoint) {
    if (checkpoint == Checkpoint.DATA_WRITTEN) {
      rowsWritten.incrementAndGet();
    } else if (checkpoint == Checkpoint.BATCH_STAGED && staged.incrementAndGet() <= times) {
      others.run();
    }
  }

  @Override
  public void stepFinished(Step step, String summary, Duration time) {}
}
