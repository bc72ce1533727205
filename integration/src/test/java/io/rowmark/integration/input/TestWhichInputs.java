package io.rowmark.integration.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which landed files a batch takes, and that each goes in exactly once. */
class TestWhichInputs {
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
  void makeProject() throws IOException {
    project = new Project(folder, "inputs" + ++projects, embedded);
    project.configure("key = [id], columns { id = long, amount = long }");
  }

  private String row(int id) {
    return project.insert("{\"id\":%d,\"amount\":%d}".formatted(id, id));
  }

  @Test
  void batchesWithinTheLimitOfRecordsFollowUntilNothingIsNew() throws IOException {
    for (int file = 0; file < 5; file++) {
      project.land(file + ".json", row(3 * file), row(3 * file + 1), row(3 * file + 2));
    }

    int ended = project.run("ingest", "--until-caught-up", "--set", "batch.max-records=7");

    assertThat(ended).as(project.err()).isZero();
    assertThat(project.rows()).isEqualTo(15);
    assertThat(
            project
                .out()
                .lines()
                .filter(line -> !line.startsWith(" "))
                .map(line -> line.replaceAll(".*: ", "").replaceAll(" \\(.*", "")))
        .containsExactly(
            "2 inputs, 6 events.",
            "2 inputs, 6 events.",
            "1 input, 3 events.",
            "every input is in its ledger. Nothing was written",
            "Caught up after 3 batches.");
  }
}
