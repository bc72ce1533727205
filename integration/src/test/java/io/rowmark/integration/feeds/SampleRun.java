package io.rowmark.integration.feeds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/** Loads a case as a user does, from the command line. */
final class SampleRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Sample sample;
  private final Path folder;
  private final LocalCatalog catalog;
  private final Map<String, String> properties;
  private final TableIdentifier table;
  private final StringBuilder said = new StringBuilder();

  SampleRun(Sample sample, Path folder, EmbeddedCatalog embedded) throws IOException {
    this.sample = sample;
    this.folder = folder;
    this.properties = embedded.clientProperties();
    this.catalog = LocalSpark.catalog(properties);
    Config settings = ConfigFactory.parseString(sample.settings());
    this.table = TableIdentifier.parse(settings.getObject("tables").keySet().iterator().next());
  }

  /** Makes the table with the rows it has before, and lands the inputs. */
  void prepare() throws IOException {
    List<Types.NestedField> fields = new ArrayList<>();
    Set<Integer> key = new LinkedHashSet<>();
    sample
        .columns()
        .forEach(
            (name, type) -> {
              int id = fields.size() + 1;
              boolean isKey = sample.key().contains(name);
              if (isKey) {
                key.add(id);
              }
              fields.add(
                  Types.NestedField.of(id, !isKey, name, SampleValues.type(type, 100 * (id + 1))));
            });
    ((SupportsNamespaces) catalog.iceberg()).createNamespace(Namespace.of(namespace()));
    catalog
        .iceberg()
        .createTable(table, new Schema(fields, key), null, Map.of("format-version", "3"));
    if (!sample.before().isEmpty()) {
      String rows =
          sample.before().stream()
              .map(
                  row ->
                      sample.columns().entrySet().stream()
                          .map(entry -> SampleValues.sql(row.get(entry.getKey()), entry.getValue()))
                          .collect(Collectors.joining(", ", "SELECT ", "")))
              .collect(Collectors.joining(" UNION ALL "));
      LocalSpark.session().sql("INSERT INTO %s.%s %s".formatted(catalog.name(), table, rows));
    }
    new SampleFiles(sample, folder.resolve("landing")).land();
  }

  private String namespace() {
    return table.namespace().toString();
  }

  /** Runs a command and tells its exit code. */
  int run(String... command) throws IOException {
    StringBuilder text = new StringBuilder(CommandRun.catalog(catalog.name(), properties));
    text.append(
        """
        pipeline = %s
        ledger.table = "%s.ledger"
        table-defaults { readers = [spark], delete-format = deletion-vector }
        source.path = "%s"
        rejects { path = "%s", max-records = 100 }
        report.dir = "%s"
        """
            .formatted(
                namespace(),
                namespace(),
                folder.resolve("landing"),
                folder.resolve("rejects"),
                folder.resolve("reports")));
    Path schemas = sample.folder().resolve("schemas");
    if (Files.exists(schemas)) {
      text.append("source.confluent.schemas = \"%s\"\n".formatted(schemas.toAbsolutePath()));
    }
    Path config = Files.writeString(folder.resolve("case.conf"), text + sample.settings());
    CommandRun done = CommandRun.of(config, command);
    said.append(done.said());
    return done.code();
  }

  String output() {
    return said.toString();
  }

  /** The rows of the table, each as its columns' values in order. */
  List<String> rows() throws IOException {
    Map<String, String> columns = sample.columnsAfter();
    Table live = catalog.iceberg().loadTable(table);
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(live).build()) {
      for (Record item : records) {
        rows.add(
            columns.entrySet().stream()
                .map(
                    column ->
                        SampleValues.actual(item.getField(column.getKey()), column.getValue()))
                .collect(Collectors.joining(" | ")));
      }
    }
    return rows;
  }

  /** The rows that the case expects, in the same form. */
  List<String> expectedRows() {
    Map<String, String> columns = sample.columnsAfter();
    return sample.rows().stream()
        .map(
            row ->
                columns.entrySet().stream()
                    .map(
                        column ->
                            SampleValues.expected(row.get(column.getKey()), column.getValue()))
                    .collect(Collectors.joining(" | ")))
        .toList();
  }

  /** Records set aside, as {@code record code}. */
  List<String> rejects() throws IOException {
    List<String> rejects = new ArrayList<>();
    if (Files.exists(folder.resolve("rejects"))) {
      try (Stream<Path> files = Files.walk(folder.resolve("rejects"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
          for (String line : Files.readAllLines(file)) {
            JsonNode letter = JSON.readTree(line);
            rejects.add(letter.get("record").asText() + " " + letter.get("code").asText());
          }
        }
      }
    }
    return rejects;
  }

  /** Records passed over, by reason, as the report tells. */
  Map<String, Long> skipped() throws IOException {
    Map<String, Long> skipped = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder.resolve("reports"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        for (JsonNode report : JSON.readTree(file.toFile()).get("tables")) {
          report
              .get("skipped")
              .properties()
              .forEach(
                  entry -> skipped.merge(entry.getKey(), entry.getValue().asLong(), Long::sum));
        }
      }
    }
    return skipped;
  }
}
