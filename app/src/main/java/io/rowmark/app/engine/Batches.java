package io.rowmark.app.engine;

import io.rowmark.merge.report.BatchReport;

/** The batches of one pipeline, one after another on one session and one catalog. */
public interface Batches extends AutoCloseable {

  /** Whose process the batches run in. */
  enum Host {
    /** It was started for them: signals to it are meant for them. */
    OWN,
    /** Others run in it as well, as in a notebook. */
    SHARED
  }

  Host host();

  /**
   * Runs the next batch.
   *
   * @return also of a batch that failed, where there is something to tell
   */
  BatchReport next(Engine.Steps steps);

  /** Whether it is known that there is a next one; new inputs are found by looking. */
  default boolean hasNext() {
    return true;
  }

  @Override
  void close();
}
