package io.rowmark.app.embedded;

import static io.rowmark.app.embedded.CatalogClient.INDEX;
import static io.rowmark.app.embedded.CatalogClient.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCatalogProcess {
  @Test
  void otherProcessKeepsTheDirectoryAndItsCommitsSurviveItsKilling(@TempDir Path directory)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CatalogProcess.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(output.lines().anyMatch(CatalogProcess.READY::equals)).isTrue();
      assertThatThrownBy(() -> EmbeddedCatalog.start(directory, 0))
          .isInstanceOf(RowmarkException.class)
          .hasMessageContaining(directory + " is in use by another embedded catalog");
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

    try (EmbeddedCatalog server = EmbeddedCatalog.start(directory, 0);
        CatalogClient client = CatalogClient.of(server)) {
      assertThat(client.liveFiles(ORDERS)).containsExactly("a", "b", "c");
      assertThat(client.liveFiles(INDEX)).containsExactly("a", "b", "c");
    }
  }
}
