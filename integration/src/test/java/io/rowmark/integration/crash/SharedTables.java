package io.rowmark.integration.crash;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableSpec.Mode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.Row;

/** The tables of a {@link Scene}, to which others commit as well. */
final class SharedTables implements AutoCloseable {
  private final EmbeddedCatalog embedded;
  private final LocalCatalog catalog;
  private final Scene scene;
  private final Path folder;
  final Rounds rounds;
  final Survivor batches;

  private SharedTables(
      EmbeddedCatalog embedded, LocalCatalog catalog, Scene scene, Path folder, Rounds rounds) {
    this.embedded = embedded;
    this.catalog = catalog;
    this.scene = scene;
    this.folder = folder;
    this.rounds = rounds;
    this.batches = new Survivor(scene, catalog, rounds);
  }

  /** Starts a catalog and loads the first round. */
  static SharedTables start(Path folder, CommitSpec.Mode mode, int formatVersion) {
    EmbeddedCatalog embedded = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
    LocalCatalog catalog = LocalSpark.catalog(embedded.clientProperties());
    Path landing = folder.resolve("landing");
    Rounds rounds = new Rounds(landing);
    Scene scene =
        new Scene(
            landing, catalog.name(), embedded.clientProperties(), mode, formatVersion, Mode.KEYED);
    SharedTables tables = new SharedTables(embedded, catalog, scene, folder, rounds);
    rounds.land();
    tables.batches.run();
    return tables;
  }

  /** Lands a round and runs its batch. */
  BatchReport next(Meanwhile others) {
    rounds.land();
    return batches.run(others);
  }

  /** The pipeline with another number of attempts and of events that the driver works on. */
  PipelineSpec pipeline(int attempts, int driverEvents) {
    PipelineSpec same = scene.pipeline();
    return new PipelineSpec(
        same.name(),
        same.catalog(),
        same.source(),
        same.tables(),
        same.ledgerTable(),
        same.index(),
        new BatchSpec(100, 1L << 30, driverEvents),
        new CommitSpec(same.commit().mode(), attempts),
        same.rejects(),
        same.capabilities());
  }

  /** Another pipeline that feeds the keyed table from a folder of its own. */
  PipelineSpec other(String name) {
    PipelineSpec same = scene.pipeline();
    return new PipelineSpec(
        name,
        same.catalog(),
        new SourceSpec("debezium-json", landingOf(name).toString(), "__unavailable"),
        List.of(same.tables().get(0)),
        "shop." + name + "_ledger",
        same.index(),
        same.batch(),
        same.commit(),
        same.rejects(),
        same.capabilities());
  }

  Path landingOf(String name) {
    return folder.resolve("landing-" + name);
  }

  /** Rewrites all files of a table into one, as a maintenance job does. */
  void compact(String name) {
    SparkActions.get(LocalSpark.session())
        .rewriteDataFiles(table(name))
        .option("rewrite-all", "true")
        .execute();
  }

  /** Files of rows, entries and deletes that lie in the warehouse, and no snapshot refers to. */
  Set<Path> unreferenced() throws IOException {
    Set<Path> files = new TreeSet<>();
    for (String name : List.of(Scene.ACCOUNTS, Scene.ACCOUNTS_INDEX, Scene.HISTORY)) {
      Table table = table(name);
      try (Stream<Path> all = Files.walk(local(table.location()).resolve("data"))) {
        all.filter(path -> path.toString().matches(".*\\.(parquet|puffin)")).forEach(files::add);
      }
      for (Snapshot snapshot : table.snapshots()) {
        for (LiveFile live : LiveFiles.at(table, snapshot).all()) {
          files.remove(local(live.path()));
          live.deletes().forEach(delete -> files.remove(local(delete.location())));
        }
      }
    }
    return files;
  }

  private static Path local(String location) {
    return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
  }

  private Table table(String name) {
    return catalog.iceberg().loadTable(TableIdentifier.parse(name));
  }

  /** Runs SQL in which {@code $accounts} stands for the keyed table. */
  List<Row> sql(String text) {
    return LocalSpark.session()
        .sql(text.replace("$accounts", catalog.name() + "." + Scene.ACCOUNTS))
        .collectAsList();
  }

  /** Row ids by key. */
  Map<Long, Long> rowIds() {
    Map<Long, Long> ids = new TreeMap<>();
    sql("SELECT id, _row_id FROM $accounts")
        .forEach(row -> ids.put(row.getLong(0), row.getLong(1)));
    return ids;
  }

  @Override
  public void close() {
    embedded.close();
  }
}
