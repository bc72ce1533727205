package io.rowmark.integration.shop;

import com.typesafe.config.ConfigUtil;
import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.integration.engine.ProjectFolder;
import io.rowmark.integration.shop.CapturedStream.Form;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;

/** The shipped sample configuration over the captured stream, in a catalog of its own. */
final class ShopRun implements AutoCloseable {
  static final List<String> KEYED =
      List.of(
          "pgbench_accounts",
          "pgbench_branches",
          "pgbench_tellers",
          "customers",
          "order_items",
          "sessions",
          "type_zoo");
  static final String HISTORY = "pgbench_history";

  /** Spark keeps a catalog under the name it first saw it with. */
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Where the tables live, and with it how a batch is committed. */
  enum Store {
    /** The embedded REST catalog: one commit for all tables. */
    ATOMIC_REST,
    /** A REST catalog as well, but one table committed after another. */
    ORDERED_REST,
    ORDERED_HADOOP,
    ORDERED_JDBC
  }

  private final Path landing;
  private final EmbeddedCatalog server;
  private final AppConfig config;
  private final SparkSession spark;
  private final Catalog catalog;

  private ShopRun(Path landing, EmbeddedCatalog server, AppConfig config) {
    this.landing = landing;
    this.server = server;
    this.config = config;
    this.spark = SparkSessions.open(config, SparkSessions.WebPage.OFF).session();
    this.catalog = Catalogs.build(config.pipeline().catalog(), spark);
  }

  /**
   * @param settings further overrides of conf/quickstart.conf, as {@code path=value}
   */
  static ShopRun start(Path folder, Store store, int formatVersion, List<String> settings) {
    Path sample = ProjectFolder.home().resolve("conf/quickstart.conf");
    return start(sample, folder, store, formatVersion, settings);
  }

  /**
   * @param file another configuration
   */
  static ShopRun start(
      Path file, Path folder, Store store, int formatVersion, List<String> settings) {
    EmbeddedCatalog server =
        switch (store) {
          case ATOMIC_REST, ORDERED_REST -> EmbeddedCatalog.start(folder.resolve("catalog"), 0);
          case ORDERED_HADOOP, ORDERED_JDBC -> null;
        };
    Map<String, String> properties =
        switch (store) {
          case ATOMIC_REST, ORDERED_REST -> server.clientProperties();
          case ORDERED_HADOOP ->
              Map.of("type", "hadoop", "warehouse", folder.resolve("warehouse").toUri().toString());
          case ORDERED_JDBC ->
              Map.of(
                  "type",
                  "jdbc",
                  // Iceberg looks for its tables under names in lower case.
                  "uri",
                  "jdbc:h2:" + folder.resolve("tables") + ";DATABASE_TO_LOWER=TRUE",
                  "jdbc.schema-version",
                  "V1",
                  "warehouse",
                  folder.resolve("warehouse").toUri().toString());
        };
    Path landing = folder.resolve("landing");
    List<String> overrides = new ArrayList<>(settings);
    properties.forEach(
        (key, value) ->
            overrides.add(ConfigUtil.joinPath("catalog", "properties", key) + "=" + value));
    overrides.add("catalog.name=shop" + NAMES.incrementAndGet());
    overrides.add("commit.mode=" + (store == Store.ATOMIC_REST ? "atomic" : "ordered"));
    overrides.add("source.path=" + landing);
    overrides.add("table-defaults.readers=[spark]");
    overrides.add("table-defaults.format-version=" + formatVersion);
    overrides.add("table-defaults.delete-format=" + DeleteFormat.positional(formatVersion).text());
    overrides.add("spark.conf.\"spark.master\"=local[2]");
    overrides.add("spark.conf.\"spark.sql.shuffle.partitions\"=2");
    AppConfig config =
        new AppConfigReader(SourceTypes::parse).read(EffectiveConfig.load(file, overrides));
    return new ShopRun(landing, server, config);
  }

  void land(Form form, int day, List<String> tables) {
    CapturedStream.land(form, day, tables, landing);
  }

  /** One batch. */
  BatchReport ingest() {
    return new BatchPipeline(config.pipeline(), spark, catalog, StepListener.SILENT, report -> {})
        .run();
  }

  AppConfig config() {
    return config;
  }

  SparkSession spark() {
    return spark;
  }

  Catalog catalog() {
    return catalog;
  }

  Table table(String name) {
    return catalog.loadTable(id(name));
  }

  static TableIdentifier id(String name) {
    return TableIdentifier.of("shop", name);
  }

  TableSpec spec(String name) {
    return config.pipeline().tables().stream()
        .filter(table -> table.table().equals("shop." + name))
        .findFirst()
        .orElseThrow();
  }

  TableRows rows(String name) {
    return TableRows.read(name, table(name), spec(name).key());
  }

  TableRows expected(String name, int day) {
    return ExpectedRows.read(name, day, table(name).schema(), spec(name).key());
  }

  /** Where the metadata of every table is, data, index and ledger alike. */
  Map<String, String> metadata() {
    Map<String, String> locations = new TreeMap<>();
    for (TableIdentifier table : catalog.listTables(Namespace.of("shop"))) {
      HasTableOperations loaded = (HasTableOperations) catalog.loadTable(table);
      locations.put(table.name(), loaded.operations().current().metadataFileLocation());
    }
    return locations;
  }

  @Override
  public void close() {
    Catalogs.close(catalog);
    if (server != null) {
      server.close();
    }
  }
}
