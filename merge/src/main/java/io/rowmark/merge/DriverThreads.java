package io.rowmark.merge;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Threads for what the driver does itself, side by side: decoding, index files, delete files. They
 * wait for storage more than they compute. Threads of their own, and not Java's common pool, since
 * those do not see the classes of a jar that spark-submit loads.
 */
final class DriverThreads implements AutoCloseable {
  private static final int FEWEST = 4;
  private static final int PER_CORE = 2;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          Math.max(FEWEST, PER_CORE * Runtime.getRuntime().availableProcessors()),
          task -> {
            Thread thread = new Thread(task, "rowmark-driver");
            thread.setDaemon(true);
            return thread;
          });

  ExecutorService executor() {
    return threads;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
