package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Soft deletes and histories from the command line. */
class TestKeptRows {
  private static final String COLUMNS = "key = [id], columns { id = long, amount = long }";

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  @TempDir private Path folder;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  private static String event(String op, int position, String row) {
    boolean delete = op.equals("d");
    return """
        {"before":%s,"after":%s,"source":{"connector":"postgresql","ts_ms":%d,"snapshot":"false",\
        "sequence":"[\\"%d\\",\\"%d\\"]","schema":"public","table":"accounts"},"op":"%s"}"""
        .formatted(
            delete ? row : "null", delete ? "null" : row, 1000L * position, position, position, op);
  }

  private static List<String> rows(Project project, String columns) {
    return LocalSpark.session()
        .sql("SELECT %s FROM %s ORDER BY ALL".formatted(columns, project.sparkTable()))
        .collectAsList()
        .stream()
        .map(Row::toString)
        .toList();
  }

  private static void ingest(Project project) {
    assertThat(project.run("ingest")).as(project.err()).isZero();
    assertThat(project.run("index", "verify", "--table", project.table()))
        .as(project.err())
        .isZero();
  }

  @Test
  void aDeletedRowStaysWithItsFlag() throws IOException {
    Project project = new Project(folder, "soft", embedded);
    project.configure(COLUMNS + ", deletes = soft, soft-delete.at = deleted_at");
    assertThat(project.run("config", "check")).as(project.err()).isZero();
    project.land(
        "a.json",
        event("c", 1, "{\"id\":1,\"amount\":1}"),
        event("c", 2, "{\"id\":2,\"amount\":2}"));
    ingest(project);
    project.land("b.json", event("d", 3, "{\"id\":1,\"amount\":null}"));
    ingest(project);
    assertThat(rows(project, "id, amount, is_deleted, unix_seconds(deleted_at)"))
        .containsExactly("[1,1,true,3]", "[2,2,false,null]");
    assertThat(project.run("ingest")).isZero();
    assertThat(project.out()).contains("Nothing new");
  }

  @Test
  void aHistoryHoldsEveryVersion() throws IOException {
    Project project = new Project(folder, "history", embedded);
    project.configure(COLUMNS + ", mode = history, history.is-current = is_current");
    assertThat(project.run("config", "check")).as(project.err()).isZero();
    project.land(
        "a.json",
        event("c", 1, "{\"id\":1,\"amount\":1}"),
        event("c", 2, "{\"id\":2,\"amount\":2}"));
    ingest(project);
    project.land(
        "b.json",
        event("u", 3, "{\"id\":1,\"amount\":10}"),
        event("u", 4, "{\"id\":1,\"amount\":100}"),
        event("d", 5, "{\"id\":2,\"amount\":null}"));
    ingest(project);
    List<String> versions =
        List.of("[1,1,1,3,false]", "[1,10,3,4,false]", "[1,100,4,null,true]", "[2,2,2,5,false]");
    String columns = "id, amount, unix_seconds(valid_from), unix_seconds(valid_to), is_current";
    assertThat(rows(project, columns)).isEqualTo(versions);
    assertThat(project.run("index", "lookup", "--table", project.table(), "--key", "id=1"))
        .as(project.err())
        .isZero();
    // what was in the files before comes again, and a late event
    project.land(
        "c.json",
        event("c", 1, "{\"id\":1,\"amount\":1}"),
        event("u", 4, "{\"id\":1,\"amount\":100}"),
        event("c", 2, "{\"id\":2,\"amount\":2}"),
        event("d", 5, "{\"id\":2,\"amount\":null}"));
    ingest(project);
    assertThat(rows(project, columns)).isEqualTo(versions);
    assertThat(project.run("index", "build", "--table", project.table()))
        .as(project.err())
        .isZero();
    project.land("d.json", event("c", 7, "{\"id\":2,\"amount\":20}"));
    ingest(project);
    assertThat(rows(project, columns)).hasSize(5).contains("[2,20,7,null,true]");

    project.configure(COLUMNS);
    project.land("e.json", event("c", 8, "{\"id\":3,\"amount\":3}"));
    assertThat(project.run("ingest")).isEqualTo(3);
    assertThat(project.err()).contains("is a history").contains("Write mode = history");
  }
}
