package io.rowmark.app.embedded;

import com.sun.net.httpserver.HttpServer;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An Iceberg REST catalog inside this process, reachable on 127.0.0.1 only, without authentication.
 * Its multi-table commit is atomic. Views are not served.
 *
 * <p>What was acknowledged survives the death of the process; metadata files are not forced to disk
 * by Iceberg's local file access, so a power cut may lose the last commits.
 */
public final class EmbeddedCatalog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCatalog.class);
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";
  private static final int REQUEST_THREADS = 8;
  private static final int CLOSE_SECONDS = 20;

  private final CatalogStore store;
  private final HttpServer server;
  private final ExecutorService requests;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedCatalog(CatalogStore store, HttpServer server, ExecutorService requests) {
    this.store = store;
    this.server = server;
    this.requests = requests;
  }

  /**
   * Starts the server. The database and the warehouse live below the directory, which is created
   * when missing; opening the same directory again shows the same tables.
   *
   * @param port port on 127.0.0.1; 0 takes any free one
   * @throws RowmarkException when the directory is in use or unusable, or the port is taken
   */
  public static EmbeddedCatalog start(Path directory, int port) {
    CatalogStore store = CatalogStore.open(directory);
    try {
      withoutDelayedAnswers();
      HttpServer server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
      ExecutorService requests = requestThreads();
      server.setExecutor(requests);
      server.createContext("/", RestRoutes.over(store));
      server.start();
      return new EmbeddedCatalog(store, server, requests);
    } catch (IOException e) {
      store.close();
      throw new RowmarkException(
          Category.CONFIG,
          RowmarkException.Retry.HELPS,
          "The embedded catalog cannot listen on 127.0.0.1:"
              + port
              + ": "
              + e.getMessage()
              + ". Name a free port, or 0 for any.",
          e);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** The address that REST clients take as {@code uri}. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What {@code CatalogUtil.buildIcebergCatalog} and a Spark catalog need to reach this one. */
  public Map<String, String> clientProperties() {
    return Map.of("type", "rest", "uri", uri().toString(), "warehouse", store.warehouse());
  }

  /**
   * Stops listening, lets started requests end, then closes the database. A client whose request
   * was under way loses its answer, not its commit.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    server.stop(0);
    // Never shutdownNow: an interrupt in the middle of a write closes H2's file channel.
    requests.shutdown();
    try {
      if (!requests.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Requests still run {} s after the embedded catalog stopped", CLOSE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      store.close();
    }
  }

  /**
   * The JDK's server sends head and body of an answer apart; with Nagle's algorithm each answer
   * then waits some 40 ms for the client's acknowledgement. The server reads this property once.
   */
  private static void withoutDelayedAnswers() {
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
  }

  private static ExecutorService requestThreads() {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(
        REQUEST_THREADS,
        task -> {
          Thread thread = new Thread(task, "embedded-catalog-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
