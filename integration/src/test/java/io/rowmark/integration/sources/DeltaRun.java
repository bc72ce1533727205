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
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** A Delta table and a table that is fed from it, on the command line. */
final class DeltaRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Map<String, String> properties;
  private final LocalCatalog catalog;
  private final String namespace;
  private final Path source;
  private String settings = "";
  private String said = "";

  /**
   * @param namespace one of its own for each run; exists afterwards
   */
  DeltaRun(Path folder, Map<String, String> properties, String namespace) {
    this.folder = folder;
    this.properties = properties;
    this.catalog = LocalSpark.catalog(properties);
    this.namespace = namespace;
    // a path that has to be quoted and encoded
    this.source = folder.resolve("core of " + namespace).resolve("parcels");
    LocalSpark.session().sql("CREATE NAMESPACE %s.%s".formatted(catalog.name(), namespace));
  }

  /** More settings; later ones win. */
  DeltaRun set(String more) {
    settings += more + "\n";
    return this;
  }

  Path source() {
    return source;
  }

  TableIdentifier target() {
    return TableIdentifier.of(namespace, "parcels");
  }

  Table load(TableIdentifier name) {
    return catalog.iceberg().loadTable(name);
  }

  /** SQL in which {@code $s} is the Delta table, {@code $t} the target, {@code $l} the ledger. */
  List<Row> sql(String text) {
    String prefix = catalog.name() + "." + namespace;
    return LocalSpark.session()
        .sql(
            text.replace("$s", "delta.`" + source + "`")
                .replace("$t", prefix + ".parcels")
                .replace("$l", prefix + ".ledger"))
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
        source.kind = delta
        table-defaults { readers = [spark], delete-format = deletion-vector }
        tables { "%s" { topic = "%s", key = [id] } }
        report.dir = "%s"
        """
            .formatted(
                namespace, catalog.name(), namespace, target(), source, folder.resolve("reports")));
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

  /** Ingests, and tells the counts of the report; empty for nothing new. */
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

  void indexIsRight() throws IOException {
    assertThat(run("index", "verify", "--table", target().toString())).as(said).isZero();
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
    for (TableIdentifier name : catalog.iceberg().listTables(Namespace.of(namespace))) {
      state.put(
          name.name(),
          ((HasTableOperations) load(name)).operations().current().metadataFileLocation());
    }
    return state;
  }

  /** Source and target hold the same rows in the source's columns, neither more often. */
  void targetIsAsItsSource(String what) {
    String columns =
        String.join(
            ", ", LocalSpark.session().read().format("delta").load(source.toString()).columns());
    assertThat(sql("SELECT %s FROM $s EXCEPT ALL SELECT %s FROM $t".formatted(columns, columns)))
        .as("rows that the target lacks; " + what)
        .isEmpty();
    assertThat(sql("SELECT %s FROM $t EXCEPT ALL SELECT %s FROM $s".formatted(columns, columns)))
        .as("rows that the target has beyond its source; " + what)
        .isEmpty();
  }

  /** Versions in the ledger, in the order of their numbers, each with its number. */
  List<String> inputs() {
    return sql("SELECT input FROM $l WHERE status = 'DONE'").stream()
        .map(row -> row.getString(0).substring(source.toString().length()))
        .sorted(java.util.Comparator.comparing(DeltaRun::number))
        .toList();
  }

  private static int number(String input) {
    return Integer.parseInt(input.substring(1, input.indexOf('@')));
  }

  /** Newest version. */
  long head() {
    return sql("DESCRIBE HISTORY $s LIMIT 1").get(0).getLong(0);
  }
}
