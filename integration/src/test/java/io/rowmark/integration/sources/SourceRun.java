package io.rowmark.integration.sources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.app.Main;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** A source table and a table that is fed from it, on the command line. */
final class SourceRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Map<String, String> properties;
  private final LocalCatalog catalog;
  private final String namespace;
  private String settings = "";
  private String said = "";

  /**
   * @param namespace one of its own for each run; exists afterwards
   */
  SourceRun(Path folder, Map<String, String> properties, String namespace) {
    this.folder = folder;
    this.properties = properties;
    this.catalog = LocalSpark.catalog(properties);
    this.namespace = namespace;
    LocalSpark.session().sql("CREATE NAMESPACE %s.%s".formatted(catalog.name(), namespace));
  }

  /** More settings; later ones win. */
  SourceRun set(String more) {
    settings += more + "\n";
    return this;
  }

  TableIdentifier source() {
    return TableIdentifier.of(namespace, "raw");
  }

  TableIdentifier target() {
    return TableIdentifier.of(namespace, "parcels");
  }

  Table load(TableIdentifier name) {
    return catalog.iceberg().loadTable(name);
  }

  LocalCatalog catalog() {
    return catalog;
  }

  /** SQL in which {@code $s} is the source, {@code $t} the target, {@code $l} the ledger. */
  List<Row> sql(String text) {
    String prefix = catalog.name() + "." + namespace;
    return LocalSpark.session()
        .sql(
            text.replace("$s", prefix + ".raw")
                .replace("$t", prefix + ".parcels")
                .replace("$l", prefix + ".ledger"))
        .collectAsList();
  }

  /** A procedure of Iceberg on the source. */
  void call(String procedure, String arguments) {
    LocalSpark.session()
        .sql("CALL %s.system.%s('%s'%s)".formatted(catalog.name(), procedure, source(), arguments))
        .collectAsList();
  }

  int run(String... command) throws IOException {
    StringBuilder text = new StringBuilder();
    properties.forEach(
        (name, value) -> text.append("catalog.properties.%s = \"%s\"\n".formatted(name, value)));
    text.append(
        """
        pipeline = %s
        catalog.name = %s
        ledger.table = "%s.ledger"
        source.kind = iceberg
        table-defaults { readers = [spark], delete-format = deletion-vector }
        tables { "%s" { topic = "%s", key = [id] } }
        report.dir = "%s"
        """
            .formatted(
                namespace,
                catalog.name(),
                namespace,
                target(),
                source(),
                folder.resolve("reports")));
    text.append(settings);
    Path config = Files.writeString(folder.resolve("source.conf"), text);
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(List.of("--config", config.toString()));
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out, true);
    int code = Main.run(printer, printer, arguments.toArray(String[]::new));
    said = out.toString();
    return code;
  }

  String said() {
    return said;
  }

  /** Ingests, checks the index, and tells the counts of the report; empty for nothing new. */
  Map<String, Long> ingest() throws IOException {
    Path reports = folder.resolve("reports");
    if (Files.exists(reports)) {
      try (Stream<Path> old = Files.list(reports)) {
        for (Path file : old.toList()) {
          Files.delete(file);
        }
      }
    }
    assertThat(run("ingest")).as(said).isZero();
    String ingested = said;
    if (catalog.iceberg().tableExists(TableIdentifier.of(namespace, "parcels__rowmark_index"))) {
      assertThat(run("index", "verify", "--table", target().toString())).as(said).isZero();
    }
    said = ingested;
    try (Stream<Path> files = Files.list(reports)) {
      Path report =
          files.filter(file -> file.toString().endsWith(".json")).findFirst().orElseThrow();
      Map<String, Long> counts = new TreeMap<>();
      for (JsonNode table : JSON.readTree(report.toFile()).get("tables")) {
        table
            .get("counts")
            .properties()
            .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
      }
      return counts;
    }
  }

  /** Ingests what finds nothing to do, and changes nothing. */
  void ingestNothing() throws IOException {
    Map<String, String> before = state();

    assertThat(ingest()).isEmpty();

    assertThat(said).contains("no new inputs");
    assertThat(state()).isEqualTo(before);
  }

  /** Ingests what must be refused, and changes nothing. */
  void ingestRefused(String... mentions) throws IOException {
    Map<String, String> before = state();

    assertThat(run("ingest")).as(said).isEqualTo(4);

    assertThat(said).contains(mentions).contains("Failed (SOURCE)").doesNotContain("\tat ");
    assertThat(state()).isEqualTo(before);
  }

  private Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    for (TableIdentifier name :
        catalog.iceberg().listTables(org.apache.iceberg.catalog.Namespace.of(namespace))) {
      state.put(
          name.name(),
          ((HasTableOperations) load(name)).operations().current().metadataFileLocation());
    }
    return state;
  }

  /** Source and target hold the same rows, neither more often than the other. */
  void targetIsAsItsSource() {
    String columns = "* FROM ";
    assertThat(sql("SELECT " + columns + "$s EXCEPT ALL SELECT " + columns + "$t"))
        .as("rows that the target lacks")
        .isEmpty();
    assertThat(sql("SELECT " + columns + "$t EXCEPT ALL SELECT " + columns + "$s"))
        .as("rows that the target has beyond its source")
        .isEmpty();
  }

  /** Inputs in the ledger. */
  List<String> inputs() {
    return sql("SELECT input FROM $l WHERE status = 'DONE' ORDER BY recorded_at, input").stream()
        .map(row -> row.getString(0))
        .toList();
  }

  long head() {
    return load(source()).currentSnapshot().snapshotId();
  }
}
