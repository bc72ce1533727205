package io.rowmark.app.engine;

import java.util.Map;

/**
 * A running embedded catalog.
 *
 * @param properties what a client needs to reach it
 * @param stop ends it
 */
public record CatalogServer(Map<String, String> properties, Runnable stop)
    implements AutoCloseable {
  public CatalogServer {
    properties = Map.copyOf(properties);
  }

  @Override
  public void close() {
    stop.run();
  }
}
