package io.rowmark.integration.crash;

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
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.catalog.TableIdentifier;

/** Stands between a REST client and its catalog, and spoils commits of one kind on demand. */
final class FaultyProxy implements AutoCloseable {

  /** What happens to one commit. */
  enum Fault {
    /** The catalog commits, the connection breaks before its answer. */
    ANSWER_LOST,
    /** The connection breaks before the catalog hears of it. */
    REQUEST_LOST,
    /** The connection breaks, and the request travels on; see {@link FaultyProxy#deliverLate()}. */
    REQUEST_LATE,
    /** The client is told of a conflict, the catalog of nothing. */
    CONFLICT,
    /** The catalog commits, the client is told 503. */
    UNAVAILABLE_AFTERWARDS,
    /** The request is sent twice, as gateways do that retry; the client sees the second answer. */
    REPEATED
  }

  /** End of the path of multi-table commits. */
  private static final String ALL_TABLES = "/transactions/commit";

  private static final Set<String> OWN_HEADERS =
      Set.of("host", "connection", "content-length", "upgrade", "expect", "transfer-encoding");

  private final URI target;
  private final String commits;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<Fault> faults = new ArrayDeque<>();
  private final Queue<HttpRequest> late = new ArrayDeque<>();

  private FaultyProxy(URI target, String commits, HttpServer server) {
    this.target = target;
    this.commits = commits;
    this.server = server;
  }

  /** Spoils multi-table commits. */
  static FaultyProxy before(URI target) throws IOException {
    return before(target, ALL_TABLES);
  }

  /** Spoils commits of one table by itself. */
  static FaultyProxy before(URI target, TableIdentifier table) throws IOException {
    return before(target, "/tables/" + table.name());
  }

  private static FaultyProxy before(URI target, String commits) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    FaultyProxy proxy = new FaultyProxy(target, commits, server);
    server.setExecutor(proxy.threads);
    server.createContext("/", proxy::handle);
    server.start();
    return proxy;
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The next commits suffer these, one each; those after them pass. */
  synchronized void spoil(Fault... next) {
    faults.addAll(List.of(next));
  }

  /** Faults that no commit has met yet. */
  synchronized int left() {
    return faults.size();
  }

  /**
   * Lets the request arrive that was held back.
   *
   * @return the catalog's status code
   */
  int deliverLate() throws IOException {
    HttpRequest request;
    synchronized (this) {
      request = late.remove();
    }
    return send(request).statusCode();
  }

  private synchronized Fault next(HttpExchange exchange) {
    boolean commit =
        exchange.getRequestMethod().equals("POST")
            && exchange.getRequestURI().getPath().endsWith(commits);
    return commit ? faults.poll() : null;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest request = request(exchange, exchange.getRequestBody().readAllBytes());
      Fault fault = next(exchange);
      if (fault == null) {
        HttpResponse<byte[]> answer = send(request);
        answer.headers().firstValue("content-type").ifPresent(type -> type(exchange, type));
        answer(exchange, answer.statusCode(), answer.body());
        return;
      }
      switch (fault) {
        case ANSWER_LOST -> send(request);
        case REQUEST_LOST -> {}
        case REQUEST_LATE -> hold(request);
        case CONFLICT -> answer(exchange, 409, error(409, "CommitFailedException"));
        case REPEATED -> {
          send(request);
          HttpResponse<byte[]> second = send(request);
          answer(exchange, second.statusCode(), second.body());
        }
        case UNAVAILABLE_AFTERWARDS -> {
          send(request);
          answer(exchange, 503, error(503, "ServiceUnavailableException"));
        }
      }
    }
  }

  private synchronized void hold(HttpRequest request) {
    late.add(request);
  }

  private HttpRequest request(HttpExchange exchange, byte[] body) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(target.resolve(exchange.getRequestURI().toString()))
            .method(
                exchange.getRequestMethod(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> builder.header(name, value));
              }
            });
    return builder.build();
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void type(HttpExchange exchange, String type) {
    exchange.getResponseHeaders().set("Content-Type", type);
  }

  private static byte[] error(int code, String type) {
    return "{\"error\":{\"message\":\"made up by the test\",\"type\":\"%s\",\"code\":%d}}"
        .formatted(type, code)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, none ? -1 : body.length);
    if (!none) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
