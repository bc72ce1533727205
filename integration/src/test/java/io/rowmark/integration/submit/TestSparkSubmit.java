package io.rowmark.integration.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.integration.submit.SparkSubmit.Ended;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shaded jar and the sample configuration, as a user submits them. */
@Tag("long")
class TestSparkSubmit {
  private static final Path CAPTURE =
      SparkSubmit.project().resolve("integration/data/debezium-postgres");
  private static final String CONFIG =
      SparkSubmit.project().resolve("conf/quickstart.conf").toString();
  private static final Pattern EXECUTOR = Pattern.compile("\"Executor ID\":\"(\\w+)\"");

  private static final Map<String, List<String>> KEYS =
      Map.of(
          "customers", List.of("id"),
          "order_items", List.of("order_id", "line_no"),
          "sessions", List.of("sid"));

  @TempDir private Path folder;

  @Test
  void twoDaysAreIngestedByExecutorsInProcessesOfTheirOwn() throws Exception {
    SparkSubmit submit = SparkSubmit.in(folder);
    try (EmbeddedCatalog embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0)) {
      Map<String, String> environment =
          Map.of(
              "ROWMARK_CATALOG_URI",
              embedded.uri().toString(),
              "ROWMARK_SOURCE",
              folder.resolve("landing").toString());
      for (String day : List.of("shop-json", "shop-json-day2")) {
        land(CAPTURE.resolve(day));
        Ended ended = submit.run(environment, "ingest", "--config", CONFIG);
        assertThat(ended.exitCode()).as(ended.output()).isZero();
      }

      assertThat(executorsOfTasks(submit)).containsExactly("0", "1");
      LocalCatalog catalog = LocalSpark.catalog(embedded.clientProperties());
      for (String table : KEYS.keySet()) {
        assertIndexAgreesAndRowsAreComplete(catalog, table);
      }
    }
  }

  @Test
  void failedRunEndsWithItsOwnMessageAndAnExitCode() throws Exception {
    Ended ended =
        SparkSubmit.in(folder)
            .run(Map.of(), "ingest", "--config", CONFIG, "--set", "commit.mod=atomic");

    assertThat(ended.exitCode()).isNotZero();
    assertThat(ended.output()).containsOnlyOnce("Failed (CONFIG): ").contains("commit.mod");
  }

  private void land(Path day) throws IOException {
    for (String table : KEYS.keySet()) {
      Path topic = day.resolve("shop.public." + table);
      if (!Files.isDirectory(topic)) {
        continue; // no change of this table on this day
      }
      try (Stream<Path> files = Files.walk(topic)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Path target = folder.resolve("landing").resolve(day.relativize(file).toString());
          Files.createDirectories(target.getParent());
          Files.copy(file, target);
        }
      }
    }
  }

  private static Set<String> executorsOfTasks(SparkSubmit submit) throws IOException {
    Set<String> executors = new TreeSet<>();
    try (Stream<Path> logs = Files.list(submit.eventLogs())) {
      for (Path log : logs.toList()) {
        try (Stream<String> lines = Files.lines(log)) {
          lines
              .filter(line -> line.startsWith("{\"Event\":\"SparkListenerTaskEnd\""))
              .map(EXECUTOR::matcher)
              .filter(Matcher::find)
              .forEach(found -> executors.add(found.group(1)));
        }
      }
    }
    return executors;
  }

  private static void assertIndexAgreesAndRowsAreComplete(LocalCatalog catalog, String table)
      throws IOException {
    TableIdentifier data = TableIdentifier.of("shop", table);
    TableIdentifier index = TableIdentifier.of("shop", table + "__rowmark_index");
    VerifyReport report =
        IndexVerifier.verify(
            LocalSpark.session(),
            new IndexedTable(catalog.iceberg(), catalog.name(), data, index, KEYS.get(table)));
    assertThat(report.differences()).as(table).isEmpty();
    assertThat(report.rowsInTable()).as("rows of %s", table).isEqualTo(expectedRows(table));
  }

  private static long expectedRows(String table) throws IOException {
    Path file = CAPTURE.resolve("expected-day2/%s.jsonl.gz".formatted(table));
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().count();
    }
  }
}
