package io.rowmark.merge.cut;

import io.rowmark.merge.source.SourceBatch;
import java.util.List;

/** A way to end a batch. */
sealed interface Cut permits LogPositionCut, TransactionCut {

  /**
   * The batch that ends there.
   *
   * @param found what is waiting
   * @param inputs the same, for all tables of the pipeline
   */
  SourceBatch of(String pipeline, SourceBatch found, List<Surveyed> inputs);
}
