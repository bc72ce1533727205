package io.rowmark.integration.feeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every case of {@code integration/data/cdc-samples}, through the command line. {@code
 * -Drowmark.docs=write} makes docs/feeds.md again, {@code -Drowmark.sample=} takes an expression
 * for the names of the cases to run.
 */
class TestChangeFeeds {
  private static final Path DOCUMENT = Path.of("..", "docs", "feeds.md");

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

  static List<Sample> samples() throws IOException {
    Pattern only = Pattern.compile(System.getProperty("rowmark.sample", ""));
    return Sample.all().stream()
        .filter(sample -> sample.gap() == null && only.matcher(sample.name()).find())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theTableIsAsTheCaseSays(Sample sample) throws IOException {
    SampleRun run = new SampleRun(sample, folder, embedded);
    run.prepare();

    assertThat(run.run("ingest")).as(run.output()).isZero();

    assertThat(run.rows()).as(run.output()).containsExactlyInAnyOrderElementsOf(run.expectedRows());
    assertThat(run.rejects()).containsExactlyInAnyOrderElementsOf(sample.rejects());
    assertThat(run.skipped()).isEqualTo(sample.skipped());

    assertThat(run.run("ingest")).as("run again: " + run.output()).isZero();
    assertThat(run.rows()).containsExactlyInAnyOrderElementsOf(run.expectedRows());
  }

  private static String result(Sample sample) {
    if (sample.gap() != null) {
      return "not read: " + sample.gap();
    }
    return sample.differences() == null
        ? "passes"
        : "passes, with a difference: " + sample.differences().get("why").asText();
  }

  @Test
  void theDocumentListsEveryCase() throws IOException {
    assumeTrue(System.getProperty("rowmark.sample") == null);
    StringBuilder text =
        new StringBuilder(
            """
            # Change feeds
            <!-- Made from integration/data/cdc-samples; to make it again, run
                 mvn -pl integration -am test -Dtest=TestChangeFeeds -Drowmark.docs=write -Dsurefire.failIfNoSpecifiedTests=false -->

            The cases of change feeds in [integration/data/cdc-samples](../integration/data/cdc-samples), each
            loaded through the command line with the configuration beside it and compared with the table that it
            must make; rejects and skipped records too. Cases that are not read yet say why.

            | case | result | what is hard about it |
            |---|---|---|
            """);
    for (Sample sample : Sample.all()) {
      StringBuilder traps = new StringBuilder();
      sample
          .expected()
          .get("traps")
          .forEach(trap -> traps.append(traps.isEmpty() ? "" : "; ").append(trap.asText()));
      text.append(
          "| [%s](../integration/data/cdc-samples/%s) | %s | %s |\n"
              .formatted(
                  sample.name(),
                  sample.name(),
                  result(sample),
                  traps.toString().replace("|", "\\|")));
    }
    if ("write".equals(System.getProperty("rowmark.docs"))) {
      Files.writeString(DOCUMENT, text);
    }
    assertThat(DOCUMENT)
        .as("docs/feeds.md is out of date; its first lines say how to make it again")
        .hasContent(text.toString());
  }
}
