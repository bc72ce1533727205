package io.rowmark.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Does a step for several tables at once: the Spark jobs of small tables are mostly waiting, and
 * Spark runs jobs of different threads side by side.
 */
final class EachTable {
  private static final int MOST_AT_ONCE = 4;

  private EachTable() {}

  /** The results in the order of the inputs; the first failure, after all have ended. */
  static <A, B> List<B> map(List<A> inputs, Function<A, B> work) {
    if (inputs.size() == 1) {
      return List.of(work.apply(inputs.get(0)));
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(MOST_AT_ONCE, inputs.size())),
            task -> {
              Thread thread = new Thread(task, "rowmark-table");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<B>> pending = new ArrayList<>();
      inputs.forEach(input -> pending.add(threads.submit(() -> work.apply(input))));
      return collect(pending);
    } finally {
      threads.shutdownNow();
    }
  }

  private static <B> List<B> collect(List<Future<B>> pending) {
    List<B> results = new ArrayList<>();
    RuntimeException failure = null;
    for (Future<B> one : pending) {
      try {
        results.add(one.get());
      } catch (ExecutionException e) {
        RuntimeException cause =
            e.getCause() instanceof RuntimeException known
                ? known
                : new IllegalStateException(e.getCause());
        if (failure == null) {
          failure = cause;
        } else {
          failure.addSuppressed(cause);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while tables were worked on", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }
}
