package io.rowmark.integration.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.StepListener.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every case of {@code integration/data/public-reports}, through the command line. {@code
 * -Drowmark.docs=write} makes docs/public-reports.md again, {@code -Drowmark.case=} takes an
 * expression for the ids of the cases to run.
 */
class TestPublicReports {
  private static final Path DOCUMENT = Path.of("..", "docs", "public-reports.md");

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

  private static Stream<Arguments> cases(Pick pick) throws IOException {
    Pattern only = Pattern.compile(System.getProperty("rowmark.case", ""));
    return ReportedCase.all().stream()
        .filter(reported -> only.matcher(reported.id()).find())
        .flatMap(
            reported ->
                reported.formatVersions().stream()
                    .filter(
                        version -> pick == (isUsual(reported, version) ? Pick.USUAL : Pick.REST))
                    .map(version -> Arguments.of(reported, version)));
  }

  /** Which runs. */
  private enum Pick {
    USUAL,
    REST
  }

  /** One format of each, the newest. */
  private static boolean isUsual(ReportedCase reported, int version) {
    return version == Collections.max(reported.formatVersions());
  }

  static Stream<Arguments> usual() throws IOException {
    return cases(Pick.USUAL);
  }

  static Stream<Arguments> rest() throws IOException {
    return cases(Pick.REST);
  }

  @ParameterizedTest(name = "format {1}: {0}")
  @MethodSource("usual")
  void theTableIsAsTheReporterWouldHaveIt(ReportedCase reported, int formatVersion)
      throws IOException {
    passes(reported, formatVersion);
  }

  @Tag("long")
  @ParameterizedTest(name = "format {1}: {0}")
  @MethodSource("rest")
  void theTableIsSoInTheOtherFormatToo(ReportedCase reported, int formatVersion)
      throws IOException {
    passes(reported, formatVersion);
  }

  private void passes(ReportedCase reported, int formatVersion) throws IOException {
    String namespace = reported.name() + "_v" + formatVersion;
    CaseRun run =
        new CaseRun(reported, formatVersion, folder, embedded.clientProperties(), namespace)
            .prepare();
    reported.settings().forEach(run::set);
    CaseActions actions = new CaseActions(run);
    int number = 0;
    for (JsonNode batch : reported.batches()) {
      number++;
      actions.before(batch);
      run.land(batch);
      if (number == 1 && reported.needsConversion()) {
        run.ingestRefused(List.of("convert", "(equality)", "rowmark plan --apply"));
        assertThat(run.run("plan", "--apply")).as(run.said()).isZero();
      }
      if (number == reported.refused()) {
        run.ingestRefused(reported.mentions());
        break;
      } else if (batch.has("fault")) {
        actions.cutOff(Checkpoint.DELETES_WRITTEN);
      } else {
        run.ingest();
      }
      actions.remember();
    }
    assertThat(run.rows()).as(run.said()).containsExactlyInAnyOrderElementsOf(reported.rows());
  }

  private static String result(ReportedCase reported) {
    if (!reported.isAnsweredOtherwise()) {
      return reported.refused() == 0 ? "as asked for" : "refused, as asked for";
    }
    return reported.answer().get("is").asText();
  }

  private static String why(ReportedCase reported) {
    return reported.isAnsweredOtherwise() ? reported.answer().get("why").asText() : "";
  }

  @Test
  void theDocumentListsEveryCase() throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            # Bugs that others reported
            <!-- Made from integration/data/public-reports; to make it again, run
                 mvn -pl integration -am test -Dtest=TestPublicReports -Drowmark.docs=write -Dsurefire.failIfNoSpecifiedTests=false -->

            Cases from public reports on tools that do the same job, each with a small reproduction
            ([integration/data/public-reports](../integration/data/public-reports)). They run through the
            command line, one `ingest` for each batch, on tables with position deletes (format 2) and
            with deletion vectors (format 3). After every batch `index verify` finds no difference, no
            key is there twice, and every data file has one delete file at the most, which names it. A
            case whose report leaves more than one right answer says which one it gets here. The newest
            format of each case runs by default, the other with the long tests.

            | case | what went wrong elsewhere | formats | here | |
            |---|---|---|---|---|
            """);
    for (ReportedCase reported : ReportedCase.all()) {
      JsonNode found = reported.text();
      text.append(
          "| %s ([%s](%s)) | %s | %s | %s | %s |\n"
              .formatted(
                  reported.id(),
                  found.get("ref").asText(),
                  found.get("url").asText(),
                  found.get("title").asText().replace("|", "\\|"),
                  String.join(
                      ", ", reported.formatVersions().stream().map(String::valueOf).toList()),
                  result(reported),
                  why(reported)));
    }
    if ("write".equals(System.getProperty("rowmark.docs"))) {
      Files.writeString(DOCUMENT, text);
    }
    assertThat(DOCUMENT)
        .as("docs/public-reports.md is out of date; its first lines say how to make it again")
        .hasContent(text.toString());
  }
}
