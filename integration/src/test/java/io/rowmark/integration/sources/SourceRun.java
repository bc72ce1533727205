package io.rowmark.integration.sources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** A source table, of Iceberg or Delta, and a table that is fed from it, on the command line. */
final class SourceRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Map<String, String> properties;
  private final LocalCatalog catalog;
  private final String namespace;
  private final Kind kind;
  private final String topic;
  private final String sqlSource;
  private String settings = "";
  private String said = "";

  /** What a source table is of. */
  private enum Kind {
    ICEBERG,
    DELTA
  }

  private SourceRun(
      Path folder, Map<String, String> properties, String namespace, Kind kind, String topic) {
    this.folder = folder;
    this.properties = properties;
    this.catalog = LocalSpark.catalog(properties);
    this.namespace = namespace;
    this.kind = kind;
    this.topic = topic;
    this.sqlSource = kind == Kind.DELTA ? "delta.`" + topic + "`" : catalog.name() + "." + topic;
    LocalSpark.session().sql("CREATE NAMESPACE %s.%s".formatted(catalog.name(), namespace));
  }

  /**
   * Follows table {@code raw} of the same catalog.
   *
   * @param namespace one of its own for each run; exists afterwards
   */
  SourceRun(Path folder, Map<String, String> properties, String namespace) {
    this(folder, properties, namespace, Kind.ICEBERG, namespace + ".raw");
  }

  /** The same for a Delta table. */
  static SourceRun ofDelta(
      Path folder, Map<String, String> properties, String namespace, Path source) {
    return new SourceRun(folder, properties, namespace, Kind.DELTA, source.toString());
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
            text.replace("$s", sqlSource)
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
    String text =
        CommandRun.catalog(catalog.name(), properties)
            + """
            pipeline = %s
            ledger.table = "%s.ledger"
            source.kind = %s
            table-defaults { readers = [spark], delete-format = deletion-vector }
            tables { "%s" { topic = "%s", key = [id] } }
            report.dir = "%s"
            """
                .formatted(
                    namespace,
                    namespace,
                    kind.name().toLowerCase(Locale.ROOT),
                    target(),
                    topic,
                    folder.resolve("reports"));
    Path config = Files.writeString(folder.resolve("source.conf"), text + settings);
    CommandRun done = CommandRun.of(config, command);
    said = done.said();
    return done.code();
  }

  String said() {
    return said;
  }

  /** Ingests, checks the index, and tells the counts of the report; empty for nothing new. */
  Map<String, Long> ingest() throws IOException {
    Map<String, Long> counts = ingestUnchecked();
    String ingested = said;
    if (catalog.iceberg().tableExists(TableIdentifier.of(namespace, "parcels__rowmark_index"))) {
      indexIsRight();
    }
    said = ingested;
    return counts;
  }

  void indexIsRight() throws IOException {
    assertThat(run("index", "verify", "--table", target().toString())).as(said).isZero();
  }

  /** Ingests, and tells the counts of the report; empty for nothing new. */
  Map<String, Long> ingestUnchecked() throws IOException {
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

  /** Source and target hold the same rows and columns, neither more often than the other. */
  void targetIsAsItsSource() {
    targetIsAsItsSource("*", "");
  }

  /** The same in the source's columns; the target may have kept more. */
  void targetHasTheRowsOfItsSource(String what) {
    List<String> names = List.of(LocalSpark.session().sql("SELECT * FROM " + sqlSource).columns());
    targetIsAsItsSource(String.join(", ", names), "; " + what);
  }

  private void targetIsAsItsSource(String columns, String what) {
    assertThat(sql("SELECT %s FROM $s EXCEPT ALL SELECT %s FROM $t".formatted(columns, columns)))
        .as("rows that the target lacks" + what)
        .isEmpty();
    assertThat(sql("SELECT %s FROM $t EXCEPT ALL SELECT %s FROM $s".formatted(columns, columns)))
        .as("rows that the target has beyond its source" + what)
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
