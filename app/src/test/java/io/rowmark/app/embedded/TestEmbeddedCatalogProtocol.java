package io.rowmark.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the REST client hides: the bare answers, and how the server starts or refuses to. */
class TestEmbeddedCatalogProtocol {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Path directory;
  private EmbeddedCatalog server;

  @BeforeEach
  void start(@TempDir Path given) {
    directory = given;
    server = EmbeddedCatalog.start(directory, 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void configNamesTheEndpointsAndTheAtomicCommit() throws Exception {
    JsonNode config = JSON.readTree(send("GET", "/v1/config", "").body());

    assertThat(config.at("/overrides/rowmark.multi-table-commit").asText()).isEqualTo("atomic");
    List<String> endpoints = new ArrayList<>();
    config.get("endpoints").forEach(endpoint -> endpoints.add(endpoint.asText()));
    assertThat(endpoints)
        .hasSize(15)
        .contains(
            "POST /v1/{prefix}/transactions/commit",
            "HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}")
        .noneMatch(endpoint -> endpoint.contains("view") || endpoint.contains("metrics"));
  }

  @Test
  void unknownPathsAndMethodsAre404WithAnErrorBody() throws Exception {
    for (String path : List.of("/", "/v1", "/v1/namespaces/a/views", "/v1/config/x")) {
      HttpResponse<String> answer = send("GET", path, "");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(JSON.readTree(answer.body()).at("/error/message").asText())
          .isEqualTo("This catalog does not serve GET " + path);
    }
    assertThat(send("DELETE", "/v1/config", "").statusCode()).isEqualTo(404);
  }

  @Test
  void headAnswersHaveNoBody() throws Exception {
    HttpResponse<String> answer = send("HEAD", "/v1/namespaces/absent", "");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void malformedBodiesAre400() throws Exception {
    send("POST", "/v1/namespaces", "{\"namespace\":[\"shop\"]}");
    for (String path :
        List.of(
            "/v1/namespaces",
            "/v1/namespaces/shop/tables",
            "/v1/namespaces/shop/register",
            "/v1/namespaces/shop/properties",
            "/v1/tables/rename",
            "/v1/transactions/commit")) {
      for (String body : List.of("", "{", "[]", "7", "{\"namespace\":[1],\"removals\":[1]}")) {
        HttpResponse<String> answer = send("POST", path, body);
        assertThat(answer.statusCode()).as("%s %s: %s", path, body, answer.body()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).at("/error/code").asInt()).isEqualTo(400);
      }
    }
  }

  @Test
  void commitWithoutJsonIs400() throws Exception {
    for (String body : List.of("", " ", "{")) {
      assertThat(send("POST", "/v1/namespaces/shop/tables/t", body).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void errorsCarryTheTypeOfIcebergsException() throws Exception {
    JsonNode error =
        JSON.readTree(send("GET", "/v1/namespaces/absent/tables/t", "").body()).get("error");

    assertThat(error.get("type").asText()).isEqualTo("NoSuchTableException");
    assertThat(error.get("code").asInt()).isEqualTo(404);
  }

  @Test
  void listensOnLoopbackOnly() {
    assertThat(server.uri().getHost()).isEqualTo("127.0.0.1");
    assertThat(server.clientProperties()).containsEntry("uri", server.uri().toString());
  }

  @Test
  void secondOpenerInThisProcessIsRefused() {
    assertThatThrownBy(() -> EmbeddedCatalog.start(directory, 0))
        .isInstanceOfSatisfying(
            RowmarkException.class, e -> assertThat(e.category()).isEqualTo(Category.CONFIG))
        .hasMessageContaining(directory + " is in use by another embedded catalog");
  }

  @Test
  void takenPortIsOneClearErrorAndFreesTheDirectory() {
    Path other = directory.resolve("other");

    assertThatThrownBy(() -> EmbeddedCatalog.start(other, server.uri().getPort()))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1:" + server.uri().getPort())
        .hasMessageContaining("Name a free port");

    EmbeddedCatalog.start(other, 0).close();
  }

  @Test
  void unusableDirectoryIsOneClearError() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatThrownBy(() -> EmbeddedCatalog.start(file.resolve("below"), 0))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("cannot use the directory " + file.resolve("below"));
    assertThatThrownBy(() -> EmbeddedCatalog.start(directory.resolve("a;b"), 0))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("semicolon");
  }

  @Test
  void damagedDatabaseIsOneClearErrorAndFreesTheDirectory() throws Exception {
    Path other = Files.createDirectories(directory.resolve("other"));
    Path database = Files.write(other.resolve("catalog.mv.db"), new byte[20_000]);

    assertThatThrownBy(() -> EmbeddedCatalog.start(other, 0))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("The database of the embedded catalog in " + other)
        .hasMessageContaining("register the tables again");

    Files.delete(database);
    EmbeddedCatalog.start(other, 0).close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
