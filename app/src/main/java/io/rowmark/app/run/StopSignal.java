package io.rowmark.app.run;

import io.rowmark.app.engine.Batches;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Turns the signal TERM into a wish to stop, as long as it is open. Left to itself the virtual
 * machine would end Spark's session in the middle of a batch; a shutdown hook could only hold that
 * up, and not save the exit code.
 */
final class StopSignal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StopSignal.class);
  private static final Signal TERM = new Signal("TERM");

  private final AtomicBoolean received;
  private final @Nullable SignalHandler before;

  private StopSignal(AtomicBoolean received, @Nullable SignalHandler before) {
    this.received = received;
    this.before = before;
  }

  /** Listens where the signal is meant for these batches; elsewhere none is ever received. */
  static StopSignal listen(Batches.Host host) {
    AtomicBoolean received = new AtomicBoolean();
    if (host == Batches.Host.SHARED) {
      return new StopSignal(received, null);
    }
    try {
      return new StopSignal(received, Signal.handle(TERM, signal -> received.set(true)));
    } catch (IllegalArgumentException e) {
      LOG.info("The signal TERM ends this process at once: {}", e.getMessage());
      return new StopSignal(received, null);
    }
  }

  boolean received() {
    return received.get();
  }

  @Override
  public void close() {
    if (before != null) {
      Signal.handle(TERM, before);
    }
  }
}
