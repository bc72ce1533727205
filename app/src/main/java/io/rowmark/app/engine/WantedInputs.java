package io.rowmark.app.engine;

import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.spec.Since;
import org.jspecify.annotations.Nullable;

/** Which inputs batches are to take. */
public sealed interface WantedInputs {

  /**
   * Those that the ledger does not have.
   *
   * @param since older ones are passed over; null for none
   */
  record New(@Nullable Since since) implements WantedInputs {
    public static final New ALL = new New(null);
  }

  /** Some that it has. */
  record Again(ReplayRequest request) implements WantedInputs {}
}
