package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.lookup.IndexLookup;
import io.rowmark.index.reconcile.IndexReconciler;
import io.rowmark.index.reconcile.ReconcileLimits;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.merge.BatchPlanner;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.commit.KeyPolicy;
import io.rowmark.merge.convert.ConvertListener;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import io.rowmark.merge.convert.ConvertRequest;
import io.rowmark.merge.convert.DeleteConverter;
import io.rowmark.merge.maintain.MaintainListener;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.MaintainRequest;
import io.rowmark.merge.maintain.TableMaintainer;
import io.rowmark.merge.migrate.Migration;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.plan.ReaderContract;
import io.rowmark.merge.probe.CatalogProbe;
import io.rowmark.merge.probe.ProbeReport;
import io.rowmark.merge.purge.KeyPurger;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayPlanner;
import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.spec.SourcePlace;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** The engine of real runs: opens session and catalog, and calls the modules below. */
public final class SparkEngine implements Engine {
  /** Work on an open session and catalog. */
  interface Work<T> {
    T on(SparkSession session, Catalog catalog);
  }

  @Override
  public SourceType sourceType(String text) {
    return SourceTypes.parse(text);
  }

  @Override
  public Batches batches(AppConfig config, WantedInputs inputs) {
    return BatchSession.open(config).batches(inputs);
  }

  @Override
  public ReplayPlan replayPlan(AppConfig config, ReplayRequest request) {
    Configuration hadoop = SparkSessions.hadoopConfiguration(config);
    Catalog catalog = Catalogs.build(config.pipeline().catalog(), hadoop);
    try {
      return ReplayPlanner.plan(config.pipeline(), catalog, hadoop, request);
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public BuildReport buildIndex(AppConfig config, TableSpec table) {
    return with(
        config,
        (session, catalog) -> {
          requireByPosition(config, table, catalog);
          return IndexBuilder.build(session, indexed(config, table, catalog));
        });
  }

  @Override
  public IndexCare care() {
    return new SparkIndexCare();
  }

  @Override
  public Reconciliation reconcileIndex(AppConfig config, TableSpec table, ReconcileLimits limits) {
    return with(
        config,
        (session, catalog) -> {
          requireByPosition(config, table, catalog);
          return IndexReconciler.reconcile(
              session, indexed(config, table, catalog), limits, step -> {});
        });
  }

  /**
   * No batch would keep the index of a table that promised deletes by key to its readers. A table
   * that promised nothing yet keeps an index that it has.
   */
  static void requireByPosition(AppConfig config, TableSpec table, Catalog catalog) {
    Map<String, String> properties = indexed(config, table, catalog).loadData().properties();
    Optional<ReaderContract> contract = ReaderContract.of(properties);
    if (contract.isPresent() && contract.get().format() == DeleteFormat.EQUALITY) {
      throw RowmarkException.config(
          "Table %s needs no index: for its readers (%s) rows are deleted by key, and no batch would keep an index up to date. Declare a reader that needs positions, or set delete-format, then run 'rowmark plan'."
              .formatted(table.table(), String.join(", ", contract.get().readers())));
    }
  }

  @Override
  public VerifyReport verifyIndex(AppConfig config, TableSpec table, double samplePercent) {
    return with(
        config,
        (session, catalog) ->
            IndexVerifier.verify(session, indexed(config, table, catalog), samplePercent));
  }

  @Override
  public KeyPlaces lookUp(AppConfig config, TableSpec table, List<String> key) {
    return with(
        config,
        (session, catalog) -> {
          IndexedTable names = indexed(config, table, catalog);
          Table data = names.loadData();
          List<IndexEntry> entries = IndexLookup.find(session, names, key);
          Freshness freshness =
              IndexTables.freshness(catalog, names.index(), data, names.keyOf(data));
          return new KeyPlaces(
              table.table(),
              names.index().toString(),
              freshness instanceof Freshness.Stale stale ? stale.reason() : null,
              entries);
        });
  }

  @Override
  public TableCheck audit(AppConfig config, String table, @Nullable Long snapshot) {
    Catalog catalog =
        Catalogs.build(config.pipeline().catalog(), SparkSessions.hadoopConfiguration(config));
    try {
      return TableCheck.of(catalog, table, snapshot);
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public BatchPlan plan(AppConfig config) {
    if (config.pipeline().source().place() instanceof SourcePlace.DeltaTables) {
      // only Spark can tell what waits in them
      return with(
          config,
          (session, catalog) ->
              new BatchPlanner(
                      config.pipeline(), catalog, session.sparkContext().hadoopConfiguration())
                  .plan());
    }
    Configuration hadoop = SparkSessions.hadoopConfiguration(config);
    Catalog catalog = Catalogs.build(config.pipeline().catalog(), hadoop);
    try {
      return new BatchPlanner(config.pipeline(), catalog, hadoop).plan();
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public ProbeReport probeCatalog(AppConfig config, Namespace scratch) {
    Catalog catalog =
        Catalogs.build(config.pipeline().catalog(), SparkSessions.hadoopConfiguration(config));
    try {
      return CatalogProbe.run(
          catalog, scratch, config.pipeline().commit(), config.pipeline().capabilities().catalog());
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public void applyPlan(AppConfig config, BiConsumer<String, String> done) {
    with(
        config,
        (session, catalog) -> {
          Configuration hadoop = session.sparkContext().hadoopConfiguration();
          BatchPlan plan = new BatchPlanner(config.pipeline(), catalog, hadoop).plan();
          plan.tables().forEach(table -> table.plan().requireFormat());
          for (BatchPlan.PlannedTable table : plan.tables()) {
            TableSpec spec = table.plan().spec();
            if (spec.isKeyed()) {
              Migration.apply(session, indexed(config, spec, catalog), table.plan())
                  .forEach(line -> done.accept(spec.table(), line));
            }
          }
          return true;
        });
  }

  @Override
  public List<ConvertOutlook> convertOutlook(
      AppConfig config, List<String> tables, ConvertRequest request) {
    Catalog catalog =
        Catalogs.build(config.pipeline().catalog(), SparkSessions.hadoopConfiguration(config));
    try {
      DeleteConverter converter = new DeleteConverter(config.pipeline(), catalog);
      return tables.stream().map(table -> converter.outlook(table, request)).toList();
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public List<ConvertReport> convert(
      AppConfig config, List<String> tables, ConvertRequest request, ConvertListener listener) {
    // a table that must not be converted is told before a session starts or another is changed
    convertOutlook(config, tables, request);
    return with(
        config,
        (session, catalog) -> {
          DeleteConverter converter = new DeleteConverter(config.pipeline(), catalog);
          return tables.stream()
              .map(table -> converter.convert(session, table, request, listener))
              .toList();
        });
  }

  @Override
  public PurgeReport purgeOutlook(AppConfig config, TableSpec table, String keys) {
    return purging(config, table, purger -> purger.outlook(keys));
  }

  @Override
  public PurgeReport purge(AppConfig config, TableSpec table, String keys) {
    return purging(config, table, purger -> purger.purge(keys));
  }

  @Override
  public ProofReport provePurge(AppConfig config, TableSpec table, String keys) {
    return purging(config, table, purger -> purger.prove(keys));
  }

  private static <T> T purging(AppConfig config, TableSpec table, Function<KeyPurger, T> work) {
    return with(
        config,
        (session, catalog) ->
            work.apply(
                new KeyPurger(config.pipeline(), table, session, catalog, StepListener.SILENT)));
  }

  @Override
  public List<MaintainOutlook> maintainOutlook(
      AppConfig config, List<String> tables, MaintainRequest request) {
    Catalog catalog =
        Catalogs.build(config.pipeline().catalog(), SparkSessions.hadoopConfiguration(config));
    try {
      TableMaintainer maintainer = maintainer(config, catalog, request);
      List<MaintainOutlook> outlooks = new ArrayList<>();
      tables.forEach(table -> outlooks.add(maintainer.outlook(table)));
      maintainer.ledgerOutlook().ifPresent(outlooks::add);
      return outlooks;
    } finally {
      Catalogs.close(catalog);
    }
  }

  @Override
  public List<MaintainReport> maintain(
      AppConfig config, List<String> tables, MaintainRequest request, MaintainListener listener) {
    // a table that cannot be maintained is told before a session starts or another is changed
    maintainOutlook(config, tables, request);
    return with(
        config,
        (session, catalog) -> {
          TableMaintainer maintainer = maintainer(config, catalog, request);
          List<MaintainReport> reports = new ArrayList<>();
          tables.forEach(table -> reports.add(maintainer.maintain(session, table, listener)));
          maintainer.maintainLedger(session, listener).ifPresent(reports::add);
          return reports;
        });
  }

  private static TableMaintainer maintainer(
      AppConfig config, Catalog catalog, MaintainRequest request) {
    return new TableMaintainer(config.pipeline(), config.maintain(), catalog, request);
  }

  @Override
  public CatalogServer startCatalog(Path directory) {
    EmbeddedCatalog catalog = EmbeddedCatalog.start(directory, 0);
    return new CatalogServer(catalog.clientProperties(), catalog::close);
  }

  static IndexedTable indexed(AppConfig config, TableSpec table, Catalog catalog) {
    return new IndexedTable(
        catalog,
        config.pipeline().catalog().name(),
        TableIdentifier.parse(table.table()),
        TableIdentifier.parse(table.table() + config.pipeline().index().suffix()),
        table.key(),
        KeyPolicy.of(config.pipeline(), table, catalog));
  }

  static <T> T with(AppConfig config, Work<T> work) {
    try (SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.AS_CONFIGURED)) {
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), spark.session());
      try {
        return work.on(spark.session(), catalog);
      } finally {
        Catalogs.close(catalog);
      }
    }
  }
}
