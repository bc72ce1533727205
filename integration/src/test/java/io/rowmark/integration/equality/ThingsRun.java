package io.rowmark.integration.equality;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.integration.Declared;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.BatchPlanner;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.migrate.Migration;
import io.rowmark.merge.plan.TablePlan;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.ReadersSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.Row;

/**
 * A table of things with the columns id, area and amount, its change events, and a plain map that
 * says what the table must hold.
 */
final class ThingsRun implements AutoCloseable {
  static final TableIdentifier THINGS = TableIdentifier.of("shop", "things");
  static final TableIdentifier INDEX = TableIdentifier.of("shop", "things__rowmark_index");

  /** Where the tables live, and with it how a batch is committed. */
  enum Store {
    ATOMIC_REST,
    ORDERED_HADOOP
  }

  /** What the table is to be. */
  record Shape(int formatVersion, List<String> partitionBy, WantedDeletes deletes) {}

  private record Thing(String area, Long amount) {}

  private final Path landing;
  private final EmbeddedCatalog server;
  private final LocalCatalog catalog;
  private final Shape shape;
  private final Map<String, String> declared = new TreeMap<>(Map.of("id", "long"));
  private final Map<String, Thing> model = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private RejectSpec rejects = new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY);
  private Wishes.Upgrade upgrade = Wishes.Upgrade.REFUSED;
  private long order = 1000;
  private int files;

  ThingsRun(Path folder, Store store, Shape shape) {
    this.landing = folder.resolve("landing");
    this.server =
        store == Store.ATOMIC_REST ? EmbeddedCatalog.start(folder.resolve("catalog"), 0) : null;
    this.catalog =
        server == null
            ? LocalSpark.hadoopCatalog(folder.resolve("warehouse"))
            : LocalSpark.catalog(server.clientProperties());
    this.shape = shape;
  }

  /** The same tables and landing folder, with other deletes wanted. */
  ThingsRun(ThingsRun before, WantedDeletes deletes) {
    this(before, before.shape.formatVersion(), deletes);
  }

  /** The same tables and landing folder, with another format version and other deletes wanted. */
  ThingsRun(ThingsRun before, int formatVersion, WantedDeletes deletes) {
    this.landing = before.landing;
    this.server = null;
    this.catalog = before.catalog;
    this.shape = new Shape(formatVersion, before.shape.partitionBy(), deletes);
    this.declared.putAll(before.declared);
    this.model.putAll(before.model);
    this.order = before.order;
    this.files = before.files;
  }

  /** Someone else deleted a row. */
  ThingsRun forget(Object id) {
    model.remove(id.toString());
    return this;
  }

  ThingsRun declare(String column, String type) {
    declared.put(column, type);
    return this;
  }

  ThingsRun rejects(RejectSpec spec) {
    this.rejects = spec;
    return this;
  }

  /** A whole row: an insert, update or snapshot read by the letter of its op. */
  ThingsRun put(String op, Object id, String area, long amount) {
    model.put(id.toString(), new Thing(area, amount));
    lines.add(event(op, "null", row(id, "\"" + area + "\"", Long.toString(amount))));
    return this;
  }

  /** An update that leaves the area out. */
  ThingsRun putWithGap(Object id, long amount) {
    lines.add(event("u", "null", row(id, "\"__gap\"", Long.toString(amount))));
    return this;
  }

  ThingsRun remove(Object id) {
    model.remove(id.toString());
    lines.add(event("d", row(id, "null", "null"), "null"));
    return this;
  }

  /** The removal of the old key and the insert of the new one, as Debezium has it. */
  ThingsRun rekey(Object from, Object to) {
    Thing thing = model.get(from.toString());
    remove(from);
    return put("c", to, thing.area(), thing.amount());
  }

  ThingsRun truncate() {
    model.clear();
    lines.add(event("t", "null", "null"));
    return this;
  }

  /** A record that means nothing. */
  ThingsRun tombstone() {
    lines.add("null");
    return this;
  }

  private static String row(Object id, String area, String amount) {
    String key = id instanceof String ? "\"" + id + "\"" : id.toString();
    return "{\"id\":%s,\"area\":%s,\"amount\":%s}".formatted(key, area, amount);
  }

  private String event(String op, String before, String after) {
    long lsn = order++;
    return """
        {"before":%s,"after":%s,"source":{"version":"3.6.1.Final","connector":"postgresql",\
        "name":"shop","ts_ms":%d,"snapshot":"%s","db":"shop","sequence":"[\\"%d\\",\\"%d\\"]",\
        "schema":"public","table":"things","txId":%d,"lsn":%d},"op":"%s","ts_ms":%d}"""
        .formatted(
            before, after, lsn, op.equals("r") ? "true" : "false", lsn, lsn, lsn, lsn, op, lsn);
  }

  /** Lands what was said since the last time, in one file. */
  List<String> land() {
    List<String> landed = List.copyOf(lines);
    land(landed);
    lines.clear();
    return landed;
  }

  /** Lands records once more, or others. */
  void land(List<String> records) {
    Path file = landing.resolve("things/partition=0/things+0+%010d.json".formatted(files++ * 1000));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, records);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  BatchReport ingest() {
    return ingest(StepListener.SILENT);
  }

  BatchReport ingest(StepListener listener) {
    return new BatchPipeline(
            pipeline(), LocalSpark.session(), catalog.iceberg(), listener, report -> {})
        .run();
  }

  /** Lands and ingests, checks the rows, and gives a count of the report. */
  Map<String, Long> batch() {
    land();
    BatchReport report = ingest();
    assertThat(report.outcome()).isEqualTo(BatchReport.Outcome.COMMITTED);
    checkRows();
    return report.tables().get(0).counts();
  }

  private PipelineSpec pipeline() {
    Map<String, ColumnDeclaration> columns = new TreeMap<>();
    declared.forEach(
        (name, type) -> columns.put(name, new ColumnDeclaration(SourceTypes.parse(type), null)));
    columns.put("amount", new ColumnDeclaration(SourceTypes.parse("long"), null));
    return new PipelineSpec(
        "things",
        new CatalogSpec(catalog.name(), Map.of()),
        new SourceSpec("debezium-json", landing.toUri().toString(), "__gap"),
        List.of(
            new TableSpec(
                "things",
                THINGS.toString(),
                TableSpec.Mode.KEYED,
                List.of("id"),
                columns,
                shape.partitionBy(),
                Map.of("write.delete.target-file-size-bytes", "1"),
                TableSpec.SchemaPolicy.EVOLVE,
                TableSpec.TruncatePolicy.APPLY,
                TableFeed.WHOLE_TOPIC,
                readers())),
        "shop.ledger",
        new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
        new BatchSpec(1000, Long.MAX_VALUE, BatchSpec.DEFAULT_DRIVER_EVENTS),
        new CommitSpec(CommitSpec.Mode.AUTO, 3),
        rejects,
        Declared.capabilities());
  }

  private ReadersSpec readers() {
    ReadersSpec spec =
        shape.deletes() == WantedDeletes.AUTO
            ? Declared.positional(shape.formatVersion())
            : Declared.spark(shape.formatVersion(), shape.deletes());
    return upgrade == Wishes.Upgrade.REFUSED
        ? spec
        : new ReadersSpec(
            spec.audience(), new Wishes(spec.wishes().deletes(), spec.wishes().version(), upgrade));
  }

  /** Lets 'rowmark plan --apply' upgrade the table. */
  ThingsRun upgradeAllowed() {
    this.upgrade = Wishes.Upgrade.ALLOWED;
    return this;
  }

  /** What 'rowmark plan' finds. */
  TablePlan plan() {
    return new BatchPlanner(
            pipeline(),
            catalog.iceberg(),
            LocalSpark.session().sparkContext().hadoopConfiguration())
        .plan()
        .tables()
        .get(0)
        .plan();
  }

  /** What 'rowmark plan --apply' does. */
  List<String> applyPlan() {
    return Migration.apply(LocalSpark.session(), names(), plan());
  }

  IndexedTable names() {
    return new IndexedTable(catalog.iceberg(), catalog.name(), THINGS, INDEX, List.of("id"));
  }

  LocalCatalog catalog() {
    return catalog;
  }

  Table table() {
    return catalog.iceberg().loadTable(THINGS);
  }

  List<Row> sql(String text) {
    return LocalSpark.session()
        .sql(text.replace("$t", catalog.name() + "." + THINGS))
        .collectAsList();
  }

  int modelSize() {
    return model.size();
  }

  /** Two readers agree with the map. */
  void checkRows() {
    List<String> expected =
        model.entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue().area() + " " + e.getValue().amount())
            .sorted()
            .toList();
    List<String> read = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table()).build()) {
      for (Record one : records) {
        read.add(one.getField("id") + " " + one.getField("area") + " " + one.getField("amount"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(read.stream().sorted()).isEqualTo(expected);
    assertThat(
            sql("SELECT id, area, amount FROM $t").stream()
                .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2))
                .sorted())
        .isEqualTo(expected);
  }

  /** Rows in the live data files, read without Iceberg, so that no delete is applied. */
  long rowsWithoutDeletes() {
    String[] paths =
        tasks().stream().map(task -> task.file().location()).distinct().toArray(String[]::new);
    // a column of its own, since Spark itself reads no uuid
    return paths.length == 0
        ? 0
        : LocalSpark.session().read().schema("area STRING").parquet(paths).count();
  }

  List<FileScanTask> tasks() {
    try (CloseableIterable<FileScanTask> tasks = table().newScan().planFiles()) {
      List<FileScanTask> all = new ArrayList<>();
      tasks.forEach(all::add);
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The deletes that apply to some data file; all of them are equality deletes on the key. */
  List<DeleteFile> appliedDeletes() {
    int id = table().schema().findField("id").fieldId();
    Map<String, DeleteFile> deletes = new TreeMap<>();
    for (FileScanTask task : tasks()) {
      for (DeleteFile delete : task.deletes()) {
        assertThat(delete.content()).isEqualTo(FileContent.EQUALITY_DELETES);
        assertThat(delete.equalityFieldIds()).containsExactly(id);
        deletes.put(delete.location(), delete);
      }
    }
    return List.copyOf(deletes.values());
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
