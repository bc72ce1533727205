package io.rowmark.merge.probe;

import static io.rowmark.merge.probe.Trial.no;
import static io.rowmark.merge.probe.Trial.unknown;
import static io.rowmark.merge.probe.Trial.yes;

import io.rowmark.merge.probe.Trial.Seen;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.ErrorHandlers;
import org.apache.iceberg.rest.HTTPClient;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTClient;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.ResourcePaths;
import org.apache.iceberg.rest.auth.AuthManager;
import org.apache.iceberg.rest.auth.AuthManagers;
import org.apache.iceberg.rest.auth.AuthSession;
import org.apache.iceberg.rest.responses.ConfigResponse;

/**
 * What a REST server says that it serves. Iceberg's client keeps the list to itself, so it is asked
 * for again; where a server lists nothing, the client assumes endpoints, the multi-table commit
 * among them.
 */
record ServerEndpoints(RESTCatalog catalog) {

  Seen offersMultiTableCommit() throws IOException {
    String client =
        clientHoldsIt() ? "Iceberg's client uses it" : "Iceberg's client does not use it";
    List<Endpoint> listed = listed();
    if (listed.isEmpty()) {
      return unknown("/v1/config lists no endpoints; " + client);
    }
    return listed.contains(Endpoint.V1_COMMIT_TRANSACTION)
        ? yes("/v1/config lists it; " + client)
        : no("/v1/config lists %d endpoints without it; %s".formatted(listed.size(), client));
  }

  /** The client looks for the endpoint before it looks at the tables, of which there are none. */
  private boolean clientHoldsIt() {
    try {
      catalog.commitTransaction(List.of());
      return true;
    } catch (UnsupportedOperationException e) {
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private List<Endpoint> listed() throws IOException {
    Map<String, String> properties = catalog.properties();
    Map<String, String> parameters = new HashMap<>();
    String warehouse = properties.get(CatalogProperties.WAREHOUSE_LOCATION);
    if (warehouse != null) {
      parameters.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
    }
    try (AuthManager auth = AuthManagers.loadAuthManager(catalog.name(), properties);
        RESTClient client =
            HTTPClient.builder(properties)
                .uri(Objects.requireNonNull(properties.get(CatalogProperties.URI)))
                .withHeaders(RESTUtil.configHeaders(properties))
                .build();
        AuthSession session = auth.initSession(client, properties)) {
      ConfigResponse config =
          client
              .withAuthSession(session)
              .get(
                  ResourcePaths.config(),
                  parameters,
                  ConfigResponse.class,
                  RESTUtil.configHeaders(properties),
                  ErrorHandlers.configErrorHandler());
      return config.endpoints();
    }
  }
}
