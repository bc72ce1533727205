package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What a user sees who made a mistake, or whose input is broken; and that nothing has changed. */
class TestBadInput {
  private static final String KEYED = "key = [id], columns { id = long }";
  private static final int CONFIG = 3;
  private static final int SOURCE = 4;

  @TempDir private static Path catalogFolder;
  private static EmbeddedCatalog embedded;
  private static int projects;

  @TempDir private Path folder;
  private Project project;

  @BeforeAll
  static void startCatalog() {
    LocalSpark.session();
    embedded = EmbeddedCatalog.start(catalogFolder, 0);
  }

  @AfterAll
  static void stopCatalog() {
    embedded.close();
  }

  @BeforeEach
  void makeProject(TestInfo test) throws IOException {
    project = new Project(folder, "bad" + ++projects, embedded);
    project.configure(KEYED);
  }

  @Test
  void malformedLineStopsTheBatch() throws IOException {
    loadTwoRows();
    project.land("b.json", project.insert("{\"id\":3}"), "{\"before\":null,\"after\":{\"id\"");

    assertFails(
        SOURCE,
        "1 record cannot become a row (1 malformed-json), and rejects.max-records is 0",
        "accounts/b.json",
        "this is no JSON",
        "Set rejects.path to keep them");
  }

  @Test
  void recordOfUnknownShapeStopsTheBatch() throws IOException {
    loadTwoRows();
    project.land("b.json", "{\"hello\":1}");

    assertFails(
        SOURCE,
        "1 unknown-record",
        "accounts/b.json",
        "the record has no op and is no known control record of Debezium");
  }

  @Test
  void eventWithoutKeyColumnStopsTheBatch() throws IOException {
    loadTwoRows();
    project.land("b.json", project.insert("{\"amount\":3}"));

    assertFails(
        SOURCE, "1 key-null", "accounts/b.json", "in column 'id': a key column is null or missing");
  }

  @Test
  void eventWithNullInItsKeyStopsTheBatch() throws IOException {
    loadTwoRows();
    project.land("b.json", project.insert("{\"id\":null,\"amount\":3}"));

    assertFails(
        SOURCE, "1 key-null", "accounts/b.json", "in column 'id': a key column is null or missing");
  }

  @Test
  void keyOfFloatingPointIsRefusedBeforeTheTableIsMade() throws IOException {
    project.configure("key = [id], columns { id = double }");
    project.land("a.json", project.insert("{\"id\":1.5,\"amount\":3}"));

    assertFails(CONFIG, "id", "double");
  }

  @Test
  void keyColumnThatNoEventHasIsRefusedBeforeTheTableIsMade() throws IOException {
    project.configure("key = [number]");
    project.land("a.json", project.insert("{\"id\":1,\"amount\":3}"));

    assertFails(
        CONFIG,
        "Key column 'number' does not exist",
        "has the columns [id, amount]. Correct the key");
  }

  @Test
  void unknownSettingIsNamedWithItsPlace() throws IOException {
    project.configure("key = [id], topik = x");
    project.land("a.json", project.insert("{\"id\":1}"));

    assertFails(CONFIG, "topik", "shop.conf");
  }

  @Test
  void indexOfTableThatDoesNotExistIsNotBuilt() throws IOException {
    assertThat(project.run("index", "build", "--table", project.table())).isEqualTo(CONFIG);

    assertThat(project.err())
        .contains("Table %s does not exist in catalog".formatted(project.table()));
    assertOneBlock();
    assertThat(project.state()).isEmpty();
  }

  @Test
  void landingFolderThatDoesNotExistIsNamed() {
    assertFails(
        SOURCE,
        "The source folder '%s' does not exist. Correct source.path.".formatted(project.landing()));
  }

  @Test
  void landingPathThatIsAFileIsNamed() throws IOException {
    Files.writeString(project.landing(), "no folder");

    assertFails(SOURCE, "The source path '%s' is not a folder".formatted(project.landing()));
  }

  @Test
  void topicWithoutFolderIsToldOf() throws IOException {
    Files.createDirectories(project.landing().resolve("acounts"));

    assertThat(project.run("ingest")).isZero();

    assertThat(project.out()).contains("no new inputs; no folder yet for topic accounts");
  }

  @Test
  void fileThatEndsTooEarlyIsNamed() throws IOException {
    loadTwoRows();
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < 2000; id++) {
      lines
          .append(project.insert("{\"id\":%d,\"amount\":%d}".formatted(id, id * 7919)))
          .append('\n');
    }
    byte[] whole = Project.gzip(lines.toString());
    project.land("b.json.gz", Arrays.copyOf(whole, whole.length / 2));

    assertFails(SOURCE, "File 'accounts/b.json.gz' cannot be read to its end", "Restore it");
  }

  @Test
  void fileThatIsNoGzipIsNamed() throws IOException {
    loadTwoRows();
    project.land("b.json.gz", project.insert("{\"id\":3}"));

    assertFails(SOURCE, "accounts/b.json.gz", "Restore it");
  }

  @Test
  void addressWhereNoCatalogIsIsNamed() throws IOException {
    project.configure(KEYED, "catalog.properties.uri = \"http://127.0.0.1:1\"");
    project.land("a.json", project.insert("{\"id\":1}"));

    assertFails(
        CONFIG, "at http://127.0.0.1:1 cannot be used", "Check catalog.properties", "service runs");
  }

  @Test
  void columnThatCannotHoldTheValuesIsNamed() throws IOException {
    LocalSpark.session().sql("CREATE NAMESPACE " + project.sparkTable().replace(".accounts", ""));
    LocalSpark.session()
        .sql(
            "CREATE TABLE %s (id bigint not null, amount date) TBLPROPERTIES ('format-version'='3')"
                .formatted(project.sparkTable()));
    project.land("a.json", project.insert("{\"id\":1,\"amount\":\"much\"}"));

    assertFails(
        SOURCE,
        "1 type-mismatch",
        "in column 'amount': the table's column is of type date",
        "accounts/a.json");
  }

  @Test
  void fileThatChangedAfterItWentInStopsTheBatch() throws IOException {
    loadTwoRows();
    project.land("a.json", project.insert("{\"id\":1}"));

    assertFails(
        SOURCE,
        "File 'accounts/a.json' has ",
        "A landed file must not change. Land the new content under a new name, or restore the file.");
  }

  @Test
  void rejectsUpToTheLimitAreSetAsideAndTheRestIsLoaded() throws IOException {
    project.configure(
        KEYED, "rejects { path = \"%s\", max-records = 5 }".formatted(project.rejects()));
    project.land(
        "a.json",
        project.insert("{\"id\":1,\"amount\":1}"),
        "broken",
        "{\"hello\":1}",
        project.insert("{\"id\":null}"),
        project.insert("{\"id\":\"seven\"}"),
        "[]",
        project.insert("{\"id\":2,\"amount\":2}"));

    assertThat(project.run("ingest")).as(project.err()).isZero();

    assertThat(project.rows()).isEqualTo(2);
    List<String> letters = letters();
    assertThat(letters)
        .hasSize(5)
        .allSatisfy(
            letter ->
                assertThat(letter)
                    .contains("\"file\":\"accounts/a.json\"")
                    .contains("\"reason\":\"")
                    .contains("\"table\":\"%s\"".formatted(project.table()))
                    .doesNotContain("raw_base64")
                    .doesNotContain("seven"));
    assertThat(project.out()).contains("5");
    assertThat(
            LocalSpark.session()
                .sql("SELECT rejects FROM %s".formatted(ledger()))
                .first()
                .getLong(0))
        .isEqualTo(5);

    project.land("b.json", "1", "2", "3", "4", "5", "6");
    assertFails(SOURCE, "6 records cannot become rows", "They are kept in", "max-records is 5");
    assertThat(letters()).as("letters of both batches").hasSize(11);
  }

  private String ledger() {
    return project.sparkTable().replace(".accounts", ".ledger");
  }

  private List<String> letters() throws IOException {
    try (var files = Files.walk(project.rejects())) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .flatMap(
              file -> {
                try {
                  return Files.readAllLines(file).stream();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              })
          .toList();
    }
  }

  private void loadTwoRows() throws IOException {
    project.land(
        "a.json",
        project.insert("{\"id\":1,\"amount\":1}"),
        project.insert("{\"id\":2,\"amount\":2}"));
    assertThat(project.run("ingest")).as(project.err()).isZero();
  }

  private void assertFails(int exitCode, String... parts) {
    Map<String, String> before = project.state();

    int ended = project.run("ingest");

    assertThat(project.err()).contains(parts);
    assertThat(ended).as(project.err()).isEqualTo(exitCode);
    assertOneBlock();
    Map<String, String> after = project.state();
    if (!before.containsKey("ledger")) {
      after.remove("ledger"); // made, empty, by the first run
    }
    assertThat(after).as("no table is changed or made").isEqualTo(before);
  }

  /** One failure, without a stack trace. */
  private void assertOneBlock() {
    assertThat(project.err()).containsOnlyOnce("Failed (").doesNotContain("\tat ", "Caused by");
  }
}
