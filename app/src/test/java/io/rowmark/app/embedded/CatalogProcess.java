package io.rowmark.app.embedded;

import static io.rowmark.app.embedded.CatalogClient.INDEX;
import static io.rowmark.app.embedded.CatalogClient.ORDERS;

import java.nio.file.Path;

/** Runs in a process of its own: commits to a catalog, says so, and waits to be killed. */
final class CatalogProcess {
  static final String READY = "committed";

  private CatalogProcess() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedCatalog server = EmbeddedCatalog.start(Path.of(arguments[0]), 0);
    CatalogClient client = CatalogClient.of(server);
    client.createTwoTables();
    for (String name : new String[] {"a", "b", "c"}) {
      client.commit(client.stagedAppend(ORDERS, name), client.stagedAppend(INDEX, name));
    }
    System.out.println(READY);
    int ended = System.in.read(); // the parent went away
    System.exit(ended);
  }
}
