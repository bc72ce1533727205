package io.rowmark.merge.parallel;

import io.rowmark.formats.failure.RowmarkException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads of the driver. They are its own, and not Java's common pool, since those do not see the
 * classes of a jar that spark-submit loads. Work that waits for other work of the same threads may
 * wait for ever, so each kind of work has threads of its own.
 */
public final class DriverThreads implements AutoCloseable {
  private static final int FEWEST = 4;
  private static final int PER_CORE = 2;

  private final ExecutorService threads;

  private DriverThreads(int count, String name) {
    this.threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** A number of threads. */
  public static DriverThreads of(int count, String name) {
    return new DriverThreads(Math.max(1, count), name);
  }

  /** As many threads as suit work that waits for storage more than it computes. */
  public static DriverThreads forFiles() {
    return of(
        Math.max(FEWEST, PER_CORE * Runtime.getRuntime().availableProcessors()), "rowmark-driver");
  }

  /** For those who divide their work themselves. */
  public Executor executor() {
    return threads;
  }

  /**
   * Does several pieces of work at once.
   *
   * @return the results in the order of the work
   * @throws RuntimeException the first failure, after all have ended: nothing goes on behind it
   */
  public <T> List<T> all(List<? extends Callable<T>> work) {
    List<Future<T>> pending = new ArrayList<>();
    work.forEach(one -> pending.add(threads.submit(one)));
    List<T> results = new ArrayList<>();
    RuntimeException failure = null;
    for (Future<T> one : pending) {
      try {
        results.add(one.get());
      } catch (ExecutionException e) {
        RuntimeException cause = unwrapped(e);
        if (failure == null) {
          failure = cause;
        } else {
          failure.addSuppressed(cause);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw RowmarkException.internal("Interrupted while the driver's threads worked", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  private static RuntimeException unwrapped(ExecutionException e) {
    return e.getCause() instanceof RuntimeException known
        ? known
        : new IllegalStateException(e.getCause());
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
