package io.rowmark.merge.spec;

import java.time.Instant;

/** From when on landed files are taken; older ones are passed over. */
public sealed interface Since {

  /** Files modified at this instant or later. */
  record Time(Instant at) implements Since {}

  /** Files modified when a batch of this pipeline was recorded in its ledger, or later. */
  record Batch(String id) implements Since {}
}
