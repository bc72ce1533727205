package io.rowmark.app.probe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands before the embedded catalog and gives it habits that real servers were seen to have. */
final class AwkwardServer implements AutoCloseable {

  /** What it does otherwise. */
  enum Habit {
    /** Does not say that its multi-table commit is atomic. */
    NO_CLAIM,
    /** Leaves the multi-table commit out of its list of endpoints. */
    NO_ENDPOINT,
    /** Lists no endpoints at all, as servers before Iceberg 1.7. */
    NO_LIST,
    /** Commits one table after another until one is refused. */
    TABLE_BY_TABLE,
    /** Checks all tables, then commits one after another, as Iceberg's own test server. */
    CHECKS_THEN_TABLE_BY_TABLE,
    /** Creates tables of version 2 when asked for version 3, as Nessie. */
    VERSION_2_ONLY,
    /** Does not check that a table is still empty, as Nessie 0.99. */
    EMPTY_UNCHECKED
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COMMIT = "/v1/transactions/commit";

  private final URI target;
  private final Set<Habit> habits;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpClient client = HttpClient.newHttpClient();

  private record Answer(int status, byte[] body) {}

  private AwkwardServer(URI target, Set<Habit> habits, HttpServer server) {
    this.target = target;
    this.habits = habits;
    this.server = server;
  }

  static AwkwardServer before(URI target, Set<Habit> habits) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    AwkwardServer server = new AwkwardServer(target, habits, http);
    http.setExecutor(server.threads);
    http.createContext("/", server::handle);
    http.start();
    return server;
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Answer answer =
          answer(exchange.getRequestMethod(), exchange.getRequestURI().toString(), body);
      boolean none = answer.body().length == 0 || exchange.getRequestMethod().equals("HEAD");
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), none ? -1 : answer.body().length);
      if (!none) {
        exchange.getResponseBody().write(answer.body());
      }
    }
  }

  private Answer answer(String method, String path, byte[] body) throws IOException {
    if (path.startsWith("/v1/config")) {
      return config(send(method, path, body));
    } else if (path.equals(COMMIT) && habits.contains(Habit.TABLE_BY_TABLE)) {
      return tableByTable(JSON.readTree(body).get("table-changes"));
    } else if (path.equals(COMMIT) && habits.contains(Habit.CHECKS_THEN_TABLE_BY_TABLE)) {
      JsonNode changes = JSON.readTree(body).get("table-changes");
      return isStale(changes) ? conflict() : tableByTable(changes);
    } else if (method.equals("POST") && path.contains("/tables")) {
      return send(method, path, changed(JSON.readTree(body)));
    }
    return send(method, path, body);
  }

  private Answer config(Answer honest) throws IOException {
    ObjectNode config = (ObjectNode) JSON.readTree(honest.body());
    if (habits.contains(Habit.NO_CLAIM)) {
      config.putObject("overrides");
    }
    if (habits.contains(Habit.NO_LIST)) {
      config.remove("endpoints");
    } else if (habits.contains(Habit.NO_ENDPOINT)) {
      Iterator<JsonNode> endpoints = config.get("endpoints").elements();
      while (endpoints.hasNext()) {
        if (endpoints.next().asText().endsWith("/transactions/commit")) {
          endpoints.remove();
        }
      }
    }
    return new Answer(honest.status(), JSON.writeValueAsBytes(config));
  }

  private byte[] changed(JsonNode request) throws IOException {
    if (habits.contains(Habit.VERSION_2_ONLY)
        && request.path("properties") instanceof ObjectNode properties
        && properties.has("format-version")) {
      properties.put("format-version", "2");
    }
    if (habits.contains(Habit.EMPTY_UNCHECKED)
        && request.path("requirements") instanceof ArrayNode requirements) {
      Iterator<JsonNode> each = requirements.elements();
      while (each.hasNext()) {
        JsonNode requirement = each.next();
        if (requirement.path("type").asText().equals("assert-ref-snapshot-id")
            && requirement.path("snapshot-id").isNull()) {
          each.remove();
        }
      }
    }
    return JSON.writeValueAsBytes(request);
  }

  private Answer tableByTable(JsonNode changes) throws IOException {
    for (JsonNode change : changes) {
      Answer answer = send("POST", table(change), JSON.writeValueAsBytes(change));
      if (answer.status() != 200) {
        return answer;
      }
    }
    return new Answer(204, new byte[0]);
  }

  private boolean isStale(JsonNode changes) throws IOException {
    for (JsonNode change : changes) {
      JsonNode metadata =
          JSON.readTree(send("GET", table(change), new byte[0]).body()).get("metadata");
      for (JsonNode requirement : change.get("requirements")) {
        if (requirement.path("type").asText().equals("assert-ref-snapshot-id")
            && requirement.path("snapshot-id").asLong(-1)
                != metadata.path("current-snapshot-id").asLong(-1)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String table(JsonNode change) {
    JsonNode identifier = change.get("identifier");
    return "/v1/namespaces/%s/tables/%s"
        .formatted(identifier.get("namespace").get(0).asText(), identifier.get("name").asText());
  }

  private static Answer conflict() {
    return new Answer(
        409,
        "{\"error\":{\"message\":\"stale\",\"type\":\"CommitFailedException\",\"code\":409}}"
            .getBytes(StandardCharsets.UTF_8));
  }

  private Answer send(String method, String path, byte[] body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve(path))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
            .build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      return new Answer(answer.statusCode(), answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
