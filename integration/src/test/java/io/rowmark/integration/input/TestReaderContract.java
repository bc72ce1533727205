package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a table whose readers change, from the command line. */
class TestReaderContract {
  private static final String KEYED = "key = [id], columns { id = long, amount = long }";

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

  private static String declared(String readers) {
    return "table-defaults { readers = [%s], delete-format = auto }".formatted(readers);
  }

  @Test
  void addedReadersAreRefusedThenPlannedThenAppliedAndThenRead() throws IOException {
    Project project = new Project(folder, "contract", embedded);
    project.configure(KEYED, declared("spark"));
    project.land(
        "a.json",
        project.insert("{\"id\":1,\"amount\":1}"),
        project.insert("{\"id\":2,\"amount\":2}"));
    assertThat(project.run("ingest")).as(project.err()).isZero();
    project.land("b.json", project.insert("{\"id\":1,\"amount\":10}"));
    assertThat(project.run("ingest")).as(project.err()).isZero();
    assertThat(project.state()).as("no index").containsOnlyKeys("accounts", "ledger");
    assertThat(project.run("check", project.table(), "--readers", "spark")).isZero();
    assertThat(project.run("check", project.table(), "--readers", "snowflake")).isEqualTo(8);
    assertThat(project.run("index", "build", "--table", project.table())).isEqualTo(3);
    assertThat(project.err())
        .contains("needs no index: for its readers (spark) rows are deleted by key");
    assertThat(project.state()).as("still no index").containsOnlyKeys("accounts", "ledger");

    project.configure(KEYED, declared("spark, snowflake, databricks"));
    project.land("c.json", project.insert("{\"id\":2,\"amount\":20}"));
    var before = project.state();
    assertThat(project.run("ingest")).isEqualTo(3);
    assertThat(project.err()).contains("set allow-format-upgrade = true");
    assertThat(project.state()).isEqualTo(before);

    String upgrade = "table-defaults.allow-format-upgrade = true";
    project.configure(KEYED, declared("spark, snowflake, databricks"), upgrade);
    assertThat(project.run("ingest")).isEqualTo(3);
    assertThat(project.err())
        .contains("readers: spark -> databricks, snowflake, spark")
        .contains("'rowmark plan --apply'");
    assertThat(project.run("plan")).as(project.err()).isZero();
    assertThat(project.out()).contains("convert 1 delete files (equality) to deletion-vector");
    assertThat(project.state()).as("plan alone writes nothing").isEqualTo(before);

    assertThat(project.run("plan", "--apply")).as(project.err()).isZero();
    assertThat(project.out())
        .contains("upgraded the table from format version 2 to 3", "converted 1 delete files");
    assertThat(project.run("ingest")).as(project.err()).isZero();
    assertThat(project.rows()).isEqualTo(2);
    assertThat(
            LocalSpark.session()
                .sql("SELECT sum(amount) FROM " + project.sparkTable())
                .first()
                .getLong(0))
        .isEqualTo(30);
    assertThat(project.run("check", project.table())).as(project.out()).isZero();
    assertThat(project.out()).contains("snowflake", "databricks");
    assertThat(project.run("index", "verify", "--table", project.table())).isZero();
  }
}
