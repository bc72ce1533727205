package io.rowmark.app.embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.responses.ConfigResponse;
import org.apache.iceberg.rest.responses.ConfigResponseParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the route of each request, runs it and writes its answer. */
final class RestRoutes implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RestRoutes.class);

  /** Tells Rowmark's client that this server's multi-table commit is all or nothing. */
  private static final String MULTI_TABLE_COMMIT = "rowmark.multi-table-commit";

  private final List<Route> routes;

  private RestRoutes(List<Route> routes) {
    this.routes = routes;
  }

  static RestRoutes over(CatalogStore store) {
    List<Route> served =
        Stream.of(
                new NamespaceRoutes(store.catalog()).routes(),
                new TableRoutes(store.catalog()).routes(),
                new TransactionCommit(store.catalog(), store.database()).routes())
            .flatMap(List::stream)
            .toList();
    String config =
        ConfigResponseParser.toJson(
            ConfigResponse.builder()
                .withOverride(MULTI_TABLE_COMMIT, "atomic")
                .withEndpoints(served.stream().map(Route::endpoint).toList())
                .build());
    // The specification's list of endpoints leaves out the one that returns it.
    Route first = new Route(Endpoint.create("GET", "/v1/config"), any -> RestReply.ok(config));
    return new RestRoutes(Stream.concat(Stream.of(first), served.stream()).toList());
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String method = exchange.getRequestMethod();
      RestReply reply = answer(method, exchange.getRequestURI(), body);
      LOG.debug("{} {} -> {}", method, exchange.getRequestURI(), reply.status());
      send(exchange, method, reply);
    }
  }

  private RestReply answer(String method, URI uri, String body) {
    try {
      List<String> segments = Arrays.asList(uri.getRawPath().substring(1).split("/", -1));
      for (Route route : routes) {
        Optional<Map<String, String>> path = route.match(segments);
        if (path.isPresent() && route.endpoint().httpMethod().equals(method)) {
          return route
              .action()
              .apply(new RestRequest(path.get(), queryParameters(uri.getRawQuery()), body));
        }
      }
      return RestErrors.reply(
          404,
          "NoSuchEndpointException",
          "This catalog does not serve " + method + " " + uri.getPath());
    } catch (Exception | StackOverflowError e) {
      RestReply reply = RestErrors.reply(e);
      if (reply.status() >= 500) {
        LOG.warn("The embedded catalog failed on {} {}", method, uri, e);
      }
      return reply;
    }
  }

  private static Map<String, String> queryParameters(@Nullable String rawQuery) {
    return rawQuery == null || rawQuery.isEmpty() ? Map.of() : RESTUtil.decodeFormData(rawQuery);
  }

  private static void send(HttpExchange exchange, String method, RestReply reply)
      throws IOException {
    String json = reply.json();
    if (json == null || method.equals("HEAD")) {
      exchange.sendResponseHeaders(reply.status(), -1);
      return;
    }
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(reply.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
