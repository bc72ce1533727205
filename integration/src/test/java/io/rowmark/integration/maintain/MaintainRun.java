package io.rowmark.integration.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.command.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.DeleteFileSet;
import org.apache.spark.sql.Row;

/**
 * The command line on a table of things with the columns id, area and amount, its change events,
 * and a plain map that says what the table must hold.
 */
final class MaintainRun implements AutoCloseable {
  static final TableIdentifier THINGS = TableIdentifier.of("shop", "things");
  static final TableIdentifier INDEX = TableIdentifier.of("shop", "things__rowmark_index");

  /** Where the tables live, and with it how a batch is committed. */
  enum Store {
    ATOMIC_REST,
    ORDERED_HADOOP
  }

  private final Path landing;
  private final Path config;
  private final EmbeddedCatalog server;
  private final LocalCatalog catalog;
  private final Map<Long, String> model = new TreeMap<>();
  private final Set<Long> seen = new HashSet<>();
  private final List<String> events = new ArrayList<>();
  private long order = 1000;
  private int files;

  /**
   * @param settings more settings of the table
   */
  MaintainRun(Path folder, Store store, int formatVersion, String settings) throws IOException {
    this.landing = folder.resolve("landing");
    this.server =
        store == Store.ATOMIC_REST ? EmbeddedCatalog.start(folder.resolve("catalog"), 0) : null;
    Map<String, String> properties =
        server == null
            ? Map.of("type", "hadoop", "warehouse", folder.resolve("lake").toUri().toString())
            : server.clientProperties();
    this.catalog = LocalSpark.catalog(properties);
    this.config =
        Files.writeString(
            folder.resolve("shop.conf"),
            CommandRun.catalog(catalog.name(), properties)
                + """
                pipeline = shop
                source.path = "%s"
                ledger.table = "shop.ledger"
                maintain.small-files = 2
                tables {
                  "shop.things" {
                    topic = things
                    key = [id]
                    columns { id = long, area = string, amount = long }
                    readers = [spark]
                    format-version = %d
                    delete-format = %s
                    %s
                  }
                }
                """
                    .formatted(
                        landing,
                        formatVersion,
                        formatVersion == 3 ? "deletion-vector" : "position",
                        settings));
  }

  MaintainRun put(long id, String area, long amount) {
    seen.add(id);
    String op = model.put(id, area + " " + amount) == null ? "c" : "u";
    events.add(
        event(
            order++,
            op,
            "null",
            "{\"id\":%d,\"area\":\"%s\",\"amount\":%d}".formatted(id, area, amount)));
    return this;
  }

  MaintainRun remove(long id) {
    model.remove(id);
    events.add(event(order++, "d", "{\"id\":%d}".formatted(id), "null"));
    return this;
  }

  /** An update of long ago, which must not win; of a key that was never there it would. */
  MaintainRun late(long id) {
    if (!seen.contains(id)) {
      return this;
    }
    events.add(event(1, "u", "null", "{\"id\":%d,\"area\":\"late\",\"amount\":0}".formatted(id)));
    return this;
  }

  /** Someone else deleted a row. */
  MaintainRun forget(long id) {
    model.remove(id);
    return this;
  }

  private static String event(long lsn, String op, String before, String after) {
    return """
        {"before":%s,"after":%s,"source":{"version":"3.6.1.Final","connector":"postgresql",\
        "name":"shop","ts_ms":%d,"snapshot":"false","db":"shop","sequence":"[\\"%d\\",\\"%d\\"]",\
        "schema":"public","table":"things","txId":%d,"lsn":%d},"op":"%s","ts_ms":%d}"""
        .formatted(before, after, lsn, lsn, lsn, lsn, lsn, op, lsn);
  }

  /** Lands what was said since the last time, ingests it and checks the rows. */
  String batch() {
    String out = ingest();
    checkRows();
    return out;
  }

  String ingest() {
    Path file = landing.resolve("things/partition=0/things+0+%010d.json".formatted(files++ * 1000));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, events);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    events.clear();
    return run("ingest");
  }

  /** Runs a command that succeeds, and gives what it printed. */
  String run(String... words) {
    CommandRun done = CommandRun.of(config, words);
    assertThat(done.code()).as(done.said()).isZero();
    return done.out();
  }

  /** The configuration as the command line reads it. */
  AppConfig read(String... overrides) {
    return new AppConfigReader(SourceTypes::parse)
        .read(EffectiveConfig.load(config, List.of(overrides)));
  }

  LocalCatalog catalog() {
    return catalog;
  }

  Table table(TableIdentifier name) {
    return catalog.iceberg().loadTable(name);
  }

  List<Row> sql(String text) {
    return LocalSpark.session()
        .sql(
            text.replace("$t", catalog.name() + "." + THINGS)
                .replace("$i", catalog.name() + "." + INDEX))
        .collectAsList();
  }

  /** Rows with what they keep when they move. */
  List<Row> rows(int formatVersion) {
    return sql(
        "SELECT id, area, amount%s FROM $t ORDER BY id"
            .formatted(formatVersion >= 3 ? ", _row_id, _last_updated_sequence_number" : ""));
  }

  void checkRows() {
    assertThat(
            sql("SELECT id, area, amount FROM $t ORDER BY id").stream()
                .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2)))
        .containsExactlyElementsOf(
            model.entrySet().stream().map(row -> row.getKey() + " " + row.getValue()).toList());
  }

  /** Index and table agree, both ways. */
  void checkIndex() {
    assertThat(run("index", "verify", "--table", THINGS.toString()))
        .contains("%d rows compared, no difference".formatted(model.size()));
  }

  Freshness freshness() {
    IndexedTable names =
        new IndexedTable(catalog.iceberg(), catalog.name(), THINGS, INDEX, List.of("id"));
    Table data = names.loadData();
    return IndexTables.freshness(catalog.iceberg(), INDEX, data, names.keyOf(data));
  }

  List<FileScanTask> tasks(TableIdentifier name) {
    try (CloseableIterable<FileScanTask> tasks = table(name).newScan().planFiles()) {
      List<FileScanTask> all = new ArrayList<>();
      tasks.forEach(all::add);
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int dataFiles(TableIdentifier name) {
    return tasks(name).size();
  }

  /** Delete files in the table's manifests, whether they apply to anything or not. */
  long deleteFiles(TableIdentifier name) {
    DeleteFileSet applied = DeleteFileSet.create();
    tasks(name).forEach(task -> applied.addAll(task.deletes()));
    long all =
        LocalSpark.session()
            .sql("SELECT * FROM %s.%s.delete_files".formatted(catalog.name(), name))
            .count();
    assertThat((long) applied.size()).as("delete files that apply").isEqualTo(all);
    return all;
  }

  int snapshots(TableIdentifier name) {
    int count = 0;
    for (var ignored : table(name).snapshots()) {
      count++;
    }
    return count;
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
