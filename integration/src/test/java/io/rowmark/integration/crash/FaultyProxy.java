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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a REST client and its catalog. It spoils commits of one kind on demand, or one
 * request of any kind, and remembers which requests came.
 */
final class FaultyProxy implements AutoCloseable {

  /** What happens to one request. */
  enum Fault {
    /** The catalog acts, the connection breaks before its answer. */
    ANSWER_LOST,
    /** The catalog acts, the connection breaks in the middle of its answer. */
    ANSWER_CUT,
    /** The catalog acts, its answer takes longer than the client waits. */
    ANSWER_SLOW,
    /** The connection breaks before the catalog hears of it. */
    REQUEST_LOST,
    /** The connection is accepted and nothing ever comes, and the catalog hears of nothing. */
    SILENCE,
    /** The connection breaks, and the request travels on; see {@link FaultyProxy#deliverLate()}. */
    REQUEST_LATE,
    /** The client is told of a conflict, the catalog of nothing. */
    CONFLICT,
    /** The client is told 429 and to come back, the catalog of nothing. */
    TOO_MANY,
    /** The client is told 500, the catalog of nothing. */
    BROKEN,
    /** The catalog acts, the client is told 500. */
    BROKEN_AFTERWARDS,
    /** The catalog acts, the client is told 502. */
    GATEWAY_AFTERWARDS,
    /** The client is told 503 and to come back, the catalog of nothing. */
    UNAVAILABLE,
    /** The catalog acts, the client is told 503. */
    UNAVAILABLE_AFTERWARDS,
    /** The request is sent twice, as gateways do that retry; the client sees the second answer. */
    REPEATED
  }

  /** A kind of request: method and path. */
  record Request(String method, String path) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  /**
   * One request to come.
   *
   * @param occurrence which of its kind, from 1
   */
  record Target(Request request, int occurrence) {
    @Override
    public String toString() {
      return occurrence == 1 ? request.toString() : request + ", time " + occurrence;
    }
  }

  private record Shot(Target target, Fault fault) {}

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
  private final List<Request> seen = new ArrayList<>();
  private final Queue<HttpExchange> silent = new ConcurrentLinkedQueue<>();
  private @Nullable Shot shot;

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

  /** One request suffers this; they are counted from now on. */
  synchronized void spoil(Target target, Fault fault) {
    seen.clear();
    shot = new Shot(target, fault);
  }

  /** Counts requests from now on. */
  synchronized void forget() {
    seen.clear();
  }

  /** The requests that came, in order. */
  synchronized List<Target> targets() {
    Map<Request, Integer> counts = new HashMap<>();
    return seen.stream()
        .map(request -> new Target(request, counts.merge(request, 1, Integer::sum)))
        .toList();
  }

  /** Faults that no request has met yet. */
  synchronized int left() {
    return faults.size() + (shot == null ? 0 : 1);
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

  private synchronized @Nullable Fault next(HttpExchange exchange) {
    Request request = new Request(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
    seen.add(request);
    Shot aimed = shot;
    if (aimed != null
        && request.equals(aimed.target().request())
        && Collections.frequency(seen, request) == aimed.target().occurrence()) {
      shot = null;
      return aimed.fault();
    }
    boolean commit = request.method().equals("POST") && request.path().endsWith(commits);
    return commit ? faults.poll() : null;
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = request(exchange, exchange.getRequestBody().readAllBytes());
    Fault fault = next(exchange);
    if (fault == Fault.SILENCE || fault == Fault.ANSWER_SLOW) {
      if (fault == Fault.ANSWER_SLOW) {
        send(request);
      }
      silent.add(exchange);
      return;
    }
    try (exchange) {
      if (fault == null) {
        pass(exchange, send(request));
      } else {
        spoil(exchange, request, fault);
      }
    }
  }

  private void spoil(HttpExchange exchange, HttpRequest request, Fault fault) throws IOException {
    switch (fault) {
      case ANSWER_LOST -> send(request);
      case ANSWER_CUT -> cut(exchange, send(request));
      case REQUEST_LOST -> {}
      case REQUEST_LATE -> hold(request);
      case CONFLICT -> answer(exchange, 409, error(409, "CommitFailedException"));
      case TOO_MANY -> later(exchange, 429, "TooManyRequestsException");
      case BROKEN -> answer(exchange, 500, error(500, "InternalServerError"));
      case UNAVAILABLE -> later(exchange, 503, "ServiceUnavailableException");
      case REPEATED -> {
        send(request);
        pass(exchange, send(request));
      }
      case BROKEN_AFTERWARDS -> {
        send(request);
        answer(exchange, 500, error(500, "InternalServerError"));
      }
      case GATEWAY_AFTERWARDS -> {
        send(request);
        answer(exchange, 502, error(502, "BadGateway"));
      }
      case UNAVAILABLE_AFTERWARDS -> {
        send(request);
        answer(exchange, 503, error(503, "ServiceUnavailableException"));
      }
      case ANSWER_SLOW, SILENCE -> throw new IllegalStateException("Nothing is to be answered");
    }
  }

  private static void pass(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
    answer.headers().firstValue("content-type").ifPresent(type -> type(exchange, type));
    answer(exchange, answer.statusCode(), answer.body());
  }

  /** Fewer bytes than promised: the server closes the connection behind them. */
  private static void cut(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
    byte[] body = answer.body();
    if (body.length < 2) {
      return;
    }
    answer.headers().firstValue("content-type").ifPresent(type -> type(exchange, type));
    exchange.sendResponseHeaders(answer.statusCode(), body.length);
    exchange.getResponseBody().write(body, 0, body.length / 2);
    exchange.getResponseBody().flush();
  }

  private static void later(HttpExchange exchange, int code, String type) throws IOException {
    exchange.getResponseHeaders().set("Retry-After", "1");
    answer(exchange, code, error(code, type));
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
    silent.forEach(HttpExchange::close);
    server.stop(0);
    threads.shutdown();
  }
}
