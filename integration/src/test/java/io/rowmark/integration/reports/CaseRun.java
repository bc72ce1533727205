package io.rowmark.integration.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** A case on the command line: its table, its landing folder, its configuration. */
final class CaseRun {
  private final ReportedCase reported;
  private final int formatVersion;
  private final Path folder;
  private final LocalCatalog catalog;
  private final Map<String, String> properties;
  private final String namespace;
  private final List<String> settings = new ArrayList<>();
  private List<String> key;
  private String said = "";
  private int files;
  private Set<String> leftBehind = Set.of();

  /**
   * @param namespace one of its own for each run
   */
  CaseRun(
      ReportedCase reported,
      int formatVersion,
      Path folder,
      Map<String, String> properties,
      String namespace) {
    this.reported = reported;
    this.formatVersion = formatVersion;
    this.folder = folder;
    this.properties = properties;
    this.catalog = LocalSpark.catalog(properties);
    this.namespace = namespace;
    this.key = reported.key();
  }

  TableIdentifier table() {
    return TableIdentifier.of(namespace, "t");
  }

  private TableIdentifier index() {
    return TableIdentifier.of(namespace, "t__rowmark_index");
  }

  LocalCatalog catalog() {
    return catalog;
  }

  int formatVersion() {
    return formatVersion;
  }

  /** The table as Spark names it. */
  String sparkTable() {
    return catalog.name() + "." + table();
  }

  Table live() {
    return catalog.iceberg().loadTable(table());
  }

  /** Notes what another engine left behind: delete files that apply to nothing. */
  void othersActed() throws IOException {
    leftBehind = CaseFiles.idle(live());
  }

  /** What another Spark session needs to know to see the catalog under the same name. */
  Map<String, String> catalogSettings() {
    Map<String, String> settings = new TreeMap<>();
    String prefix = "spark.sql.catalog." + catalog.name();
    settings.put(prefix, "org.apache.iceberg.spark.SparkCatalog");
    properties.forEach((name, value) -> settings.put(prefix + "." + name, value));
    return settings;
  }

  /** Makes the table, with what the case wants in it before. */
  CaseRun prepare() throws IOException {
    Files.createDirectories(landing());
    ((SupportsNamespaces) catalog.iceberg()).createNamespace(Namespace.of(namespace));
    CasePreparation.prepare(reported, this);
    return this;
  }

  /** More settings, later ones win. */
  CaseRun set(String setting) {
    settings.add(setting);
    return this;
  }

  Path landing() {
    return folder.resolve("landing").resolve("in");
  }

  Path rejects() {
    return folder.resolve("rejects");
  }

  /** Lands the rows of a batch as lines of JSON; a file without lines where it has none. */
  void land(JsonNode batch) throws IOException {
    if (batch.has("key_columns")) {
      key = ReportedCase.texts(batch.get("key_columns"));
    }
    land(ReportedCase.items(batch.get("rows")).stream().map(JsonNode::toString).toList());
  }

  void land(List<String> lines) throws IOException {
    Files.write(landing().resolve("batch-%03d.json".formatted(++files)), lines);
  }

  private Path configuration() throws IOException {
    StringBuilder text = new StringBuilder(CommandRun.catalog(catalog.name(), properties));
    text.append(
        """
        pipeline = %s
        ledger.table = "%s.ledger"
        source {
          path = "%s"
          envelope {
            like = flat
            op { path = _op, codes { I = insert, U = update, D = delete, R = snapshot-read } }
            order = ["%s number"]
            exclude = [_op, _ord]
          }
        }
        table-defaults { readers = [spark], format-version = %d, delete-format = %s }
        tables { "%s" { topic = in, key = [%s] } }
        rejects.path = "%s"
        """
            .formatted(
                namespace,
                namespace,
                folder.resolve("landing"),
                reported.order(),
                formatVersion,
                formatVersion == 3 ? "deletion-vector" : "position",
                table(),
                String.join(", ", key),
                rejects()));
    settings.forEach(line -> text.append(line).append('\n'));
    return Files.writeString(folder.resolve("case.conf"), text);
  }

  /** Runs a command and tells its exit code. */
  int run(String... command) throws IOException {
    CommandRun done = CommandRun.of(configuration(), command);
    said = done.said();
    return done.code();
  }

  /** The configuration as the commands read it. */
  AppConfig config() throws IOException {
    return new AppConfigReader(SourceTypes::parse)
        .read(EffectiveConfig.load(configuration(), List.of()));
  }

  /** All that the last command wrote. */
  String said() {
    return said;
  }

  /** Ingests, and checks that index and table agree and no key is there twice. */
  void ingest() throws IOException {
    assertThat(run("ingest")).as(said).isZero();
    checkIndex();
  }

  /** Ingests what must be refused; nothing has changed then. */
  void ingestRefused(List<String> mentions) throws IOException {
    Map<String, String> before = state();

    assertThat(run("ingest")).as(said).isNotZero();

    assertThat(said).contains(mentions).contains("Failed (").doesNotContain("\tat ");
    assertThat(state()).as("no table has changed").isEqualTo(before);
    // an index is not looked at by another key than its own
    if (before.containsKey(index().name()) && key.equals(reported.key())) {
      checkIndex();
    }
  }

  void checkIndex() throws IOException {
    if (catalog.iceberg().tableExists(index())) {
      assertThat(run("index", "verify", "--table", table().toString())).as(said).isZero();
      CaseFiles.check(live(), leftBehind);
      CaseFiles.check(catalog.iceberg().loadTable(index()), Set.of());
    }
    String columns = String.join(", ", key);
    assertThat(
            LocalSpark.session()
                .sql(
                    "SELECT %s FROM %s GROUP BY %s HAVING count(*) > 1"
                        .formatted(columns, sparkTable(), columns))
                .collectAsList())
        .as("keys that are there twice")
        .isEmpty();
  }

  /** Forgets the index and builds another one. */
  void buildIndexAgain() throws IOException {
    catalog.iceberg().dropTable(index());
    assertThat(run("index", "build", "--table", table().toString())).as(said).isZero();
    checkIndex();
  }

  /** The current metadata of data table and index. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    for (TableIdentifier id : List.of(table(), index())) {
      if (catalog.iceberg().tableExists(id)) {
        Table found = catalog.iceberg().loadTable(id);
        state.put(
            id.name(), ((HasTableOperations) found).operations().current().metadataFileLocation());
      }
    }
    return state;
  }

  /** The rows as Iceberg's own reader gives them, and Spark the same. */
  List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(live()).build()) {
      for (Record row : records) {
        rows.add(
            reported.columns().keySet().stream()
                .map(column -> CaseValues.actual(row.getField(column)))
                .collect(Collectors.joining(" | ")));
      }
    }
    assertThat(LocalSpark.session().table(sparkTable()).count()).isEqualTo(rows.size());
    return rows;
  }
}
