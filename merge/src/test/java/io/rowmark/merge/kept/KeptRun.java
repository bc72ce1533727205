package io.rowmark.merge.kept;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CapabilitySpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.KeptRows;
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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.Row;

/** A table {@code shop.things (id, v, big)} that keeps rows, fed by Debezium's events. */
final class KeptRun {
  static final String LEFT_OUT = "left out";

  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  private final LocalCatalog catalog;
  private final Path landing;
  private final Shape shape;
  private int files;

  /**
   * What the table is.
   *
   * @param driverEvents 0 sends every batch through Spark
   */
  record Shape(
      int formatVersion,
      TableSpec.Mode mode,
      KeptRows kept,
      WantedDeletes deletes,
      int driverEvents) {
    static Shape of(int formatVersion, TableSpec.Mode mode, KeptRows kept) {
      return new Shape(
          formatVersion,
          mode,
          kept,
          formatVersion == 2 ? WantedDeletes.POSITION : WantedDeletes.DELETION_VECTOR,
          BatchSpec.DEFAULT_DRIVER_EVENTS);
    }

    Shape inSpark() {
      return new Shape(formatVersion, mode, kept, deletes, 0);
    }
  }

  KeptRun(Path folder, Shape shape) {
    this(LocalSpark.hadoopCatalog(folder.resolve("warehouse")), folder.resolve("landing"), shape);
  }

  private KeptRun(LocalCatalog catalog, Path landing, Shape shape) {
    // as the application sets it; times travel through Spark as instants
    LocalSpark.session().conf().set("spark.sql.datetime.java8API.enabled", "true");
    this.catalog = catalog;
    this.landing = landing;
    this.shape = shape;
  }

  /** The same table, declared otherwise. */
  KeptRun as(Shape other) {
    KeptRun run = new KeptRun(catalog, landing, other);
    run.files = files + 1000;
    return run;
  }

  /** The time of the event of an order. */
  static Instant time(long order) {
    return Instant.ofEpochMilli(FIRST_MILLIS + 1000 * order);
  }

  static String put(String op, long order, long id, String v, String big) {
    return event(op, order, order, image(id, v, big), null);
  }

  static String delete(long order, long id) {
    return event("d", order, order, null, image(id, null, null));
  }

  static String image(long id, String v, String big) {
    return "{\"id\":%d,\"v\":%s,\"big\":%s}".formatted(id, quoted(v), quoted(big));
  }

  private static String quoted(String text) {
    return text == null ? "null" : '"' + text + '"';
  }

  /**
   * @param second when it happened, in the numbers of {@link #time}
   */
  static String event(String op, long order, long second, String after, String before) {
    return ("{\"op\":\"%s\",\"before\":%s,\"after\":%s,\"source\":{\"connector\":\"postgresql\","
            + "\"ts_ms\":%d,\"snapshot\":\"%s\",\"sequence\":\"[\\\"%d\\\",\\\"%d\\\"]\"}}")
        .formatted(
            op,
            before,
            after,
            FIRST_MILLIS + 1000 * second,
            op.equals("r") ? "true" : "false",
            order,
            order);
  }

  BatchReport ingest(List<String> events) {
    try {
      Path topic = Files.createDirectories(landing.resolve("things"));
      int half = events.size() / 2;
      Files.write(topic.resolve("things+0+%05d.json".formatted(files++)), events.subList(0, half));
      Files.write(
          topic.resolve("things+0+%05d.json".formatted(files++)),
          events.subList(half, events.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BatchPipeline(
            pipeline(), LocalSpark.session(), catalog.iceberg(), StepListener.SILENT, done -> {})
        .run();
  }

  BatchReport ingest(String... events) {
    return ingest(List.of(events));
  }

  private PipelineSpec pipeline() {
    TableSpec table =
        new TableSpec(
            "things",
            "shop.things",
            shape.mode(),
            List.of("id"),
            Map.of(),
            List.of(),
            Map.of(),
            TableSpec.SchemaPolicy.EVOLVE,
            TableSpec.TruncatePolicy.APPLY,
            TableFeed.WHOLE_TOPIC,
            new ReadersSpec(
                Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()),
                new Wishes(
                    shape.deletes(),
                    Wishes.WantedVersion.valueOf("V" + shape.formatVersion()),
                    Wishes.Upgrade.REFUSED)),
            shape.kept());
    return new PipelineSpec(
        "kept",
        new CatalogSpec(catalog.name(), Map.of()),
        new SourceSpec("debezium-json", landing.toUri().toString(), LEFT_OUT),
        List.of(table),
        "shop.ledger",
        new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
        new BatchSpec(1000, Long.MAX_VALUE, shape.driverEvents()),
        new CommitSpec(CommitSpec.Mode.AUTO, 1),
        new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
        new CapabilitySpec(CapabilityData.bundled(), null));
  }

  /** A query's rows as text; {@code $t} is the table, {@code $i} its index. */
  List<String> rows(String query) {
    String table = catalog.name() + ".shop.things";
    return LocalSpark.session()
        .sql(query.replace("$t", table).replace("$i", table + "__rowmark_index"))
        .collectAsList()
        .stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }

  void sql(String statement) {
    LocalSpark.session().sql(statement.replace("$t", catalog.name() + ".shop.things"));
  }

  String catalogName() {
    return catalog.name();
  }

  Table table() {
    return catalog.iceberg().loadTable(names().data());
  }

  IndexedTable names() {
    return new IndexedTable(
        catalog.iceberg(),
        catalog.name(),
        TableIdentifier.of("shop", "things"),
        TableIdentifier.of("shop", "things__rowmark_index"),
        List.of("id"));
  }

  /** The index says where each row is that may change, and nothing else. */
  VerifyReport checkIndex() {
    VerifyReport report = IndexVerifier.verify(LocalSpark.session(), names());
    assertThat(report.differences()).isEmpty();
    return report;
  }
}
