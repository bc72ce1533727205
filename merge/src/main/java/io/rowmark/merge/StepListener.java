package io.rowmark.merge;

import java.time.Duration;

/** Told of each step as it ends, for progress lines, timing and crash tests. */
public interface StepListener {
  /** A listener that does nothing. */
  StepListener SILENT =
      new StepListener() {
        @Override
        public void reached(Checkpoint checkpoint) {}

        @Override
        public void stepFinished(Step step, String summary, Duration time) {}
      };

  /** The seven steps of a batch, in order. */
  enum Step {
    READ,
    NORMALIZE,
    RESOLVE,
    WRITE,
    STAGE,
    COMMIT,
    REPORT
  }

  /** Points between which a batch can be cut off; what lies behind each is on disk. */
  enum Checkpoint {
    INPUTS_LISTED,
    CHANGES_NORMALIZED,
    TABLES_OPENED,
    POSITIONS_RESOLVED,
    DATA_WRITTEN,
    DELETES_WRITTEN,
    BATCH_STAGED,
    INTENT_RECORDED,
    DATA_COMMITTED,
    INDEX_COMMITTED,
    BATCH_COMMITTED
  }

  /** Called on the driver when the batch has come to a point; may not come back in crash tests. */
  void reached(Checkpoint checkpoint);

  /**
   * Called on the driver after each step.
   *
   * @param summary counts, in one line, without row values
   */
  void stepFinished(Step step, String summary, Duration time);
}
