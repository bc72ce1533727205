package io.rowmark.merge;

import io.rowmark.merge.parallel.DriverThreads;
import java.util.List;
import java.util.concurrent.Callable;
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
    try (DriverThreads threads =
        DriverThreads.of(Math.min(MOST_AT_ONCE, inputs.size()), "rowmark-table")) {
      return threads.all(
          inputs.stream().map(input -> (Callable<B>) () -> work.apply(input)).toList());
    }
  }
}
