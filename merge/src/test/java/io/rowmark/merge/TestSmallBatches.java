package io.rowmark.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.delete.Audience;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.WantedDeletes;
import io.rowmark.formats.delete.Wishes;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CapabilitySpec;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch that the driver works on itself must come to what Spark makes of it. */
class TestSmallBatches {
  private static final long SEED = 20261130;
  private static final int MERGE_RUNS = 5;
  private static final String KEPT_COUNTS =
      "events|inserts|updates|deletes|deletes-of-unknown-keys|stale-changes|data-files-added"
          + "|data-files-with-new-deletes|data-files-emptied|index-files-added"
          + "|index-files-with-new-deletes";

  @TempDir Path folder;
  private SparkSession spark;

  @BeforeEach
  void open() {
    spark = LocalSpark.session();
  }

  /** Keys whose order, form or equality could differ between Spark and the driver. */
  enum Keys {
    BIGINT(Map.of("k", "long"), 3) {
      @Override
      List<String> values(int n) {
        return List.of(Long.toString((n % 2 == 0 ? 1 : -1) * (long) n * 7_000_000_007L));
      }
    },
    TEXT(Map.of("k", "string"), 2) {
      @Override
      List<String> values(int n) {
        // the last two sort otherwise as UTF-16 than as UTF-8
        List<String> text = List.of("", "a", "A", "ä", "a ", "zz", "\uffee", "\ud83d\ude00");
        return List.of('"' + text.get(n % text.size()) + (n / text.size()) + '"');
      }
    },
    DECIMAL(Map.of("k", "decimal-text(30,4)"), 3) {
      @Override
      List<String> values(int n) {
        return List.of(
            "\"%s%d.%s\"".formatted(n % 3 == 0 ? "-" : "", n, n % 2 == 0 ? "5" : "5000"));
      }
    },
    UUID(Map.of("k", "uuid"), 3) {
      @Override
      List<String> values(int n) {
        return List.of('"' + new java.util.UUID(n * 0x9E3779B97F4A7C15L, n).toString() + '"');
      }
    },
    TIME_AND_FLAG(Map.of("k", "timestamp-micros", "l", "boolean"), 2) {
      @Override
      List<String> values(int n) {
        return List.of(
            Long.toString(-62_135_596_800_000_000L + n * 86_399_999_999L),
            n % 2 == 0 ? "true" : "false");
      }
    };

    private final Map<String, String> types;
    private final int formatVersion;

    Keys(Map<String, String> types, int formatVersion) {
      this.types = types;
      this.formatVersion = formatVersion;
    }

    abstract List<String> values(int n);

    List<String> names() {
      return types.keySet().stream().sorted().toList();
    }
  }

  /** One pipeline on a catalog of its own. */
  private final class Side {
    final LocalCatalog catalog;
    final Keys keys;
    final int driverEvents;
    final Path landing;

    Side(String name, Keys keys, int driverEvents) {
      this.catalog = LocalSpark.hadoopCatalog(folder.resolve(name));
      this.keys = keys;
      this.driverEvents = driverEvents;
      this.landing = folder.resolve(name + "-landing");
    }

    BatchReport ingest(int batch, List<String> events) throws IOException {
      Path topic = Files.createDirectories(landing.resolve("things"));
      int half = events.size() / 2;
      Files.write(
          topic.resolve("things+0+%05d.json".formatted(2 * batch)), events.subList(0, half));
      Files.write(
          topic.resolve("things+0+%05d.json".formatted(2 * batch + 1)),
          events.subList(half, events.size()));
      return new BatchPipeline(
              pipeline(), spark, catalog.iceberg(), StepListener.SILENT, report -> {})
          .run();
    }

    private PipelineSpec pipeline() {
      Map<String, ColumnDeclaration> columns = new LinkedHashMap<>();
      keys.types.forEach(
          (name, type) -> columns.put(name, new ColumnDeclaration(SourceTypes.parse(type), null)));
      TableSpec table =
          new TableSpec(
              "things",
              "shop.things",
              TableSpec.Mode.KEYED,
              keys.names(),
              columns,
              List.of(),
              Map.of(),
              TableSpec.SchemaPolicy.EVOLVE,
              TableSpec.TruncatePolicy.APPLY,
              TableFeed.WHOLE_TOPIC,
              new ReadersSpec(
                  Audience.of(List.of("spark"), List.of(), CapabilityData.bundled()),
                  new Wishes(
                      WantedDeletes.valueOf(DeleteFormat.positional(keys.formatVersion).name()),
                      Wishes.WantedVersion.valueOf("V" + keys.formatVersion),
                      Wishes.Upgrade.REFUSED)));
      return new PipelineSpec(
          "small",
          new CatalogSpec(catalog.name(), Map.of()),
          new SourceSpec("debezium-json", landing.toUri().toString(), "left out"),
          List.of(table),
          "shop.ledger",
          new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, MERGE_RUNS),
          new BatchSpec(1000, Long.MAX_VALUE, driverEvents),
          new CommitSpec(CommitSpec.Mode.AUTO, 1),
          new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
          new CapabilitySpec(CapabilityData.bundled(), null));
    }

    /** The rows, each with the place that the index gives it; files by the order they came in. */
    List<String> rows() {
      String key = String.join(", ", keys.names());
      String data = catalog.name() + ".shop.things";
      Map<String, Integer> numbers = new LinkedHashMap<>();
      for (Row file :
          spark
              .sql(
                  "SELECT data_file.file_path FROM %s.entries WHERE data_file.content = 0 ORDER BY sequence_number, data_file.file_path"
                      .formatted(data))
              .collectAsList()) {
        numbers.putIfAbsent(file.getString(0), numbers.size());
      }
      List<String> rows = new ArrayList<>();
      for (Row row :
          spark
              .sql(
                  "SELECT struct(i.%1$s), t.v, t.in_file, t.at, i.data_file, i.position, i.row_id, hex(i.change_order) FROM (SELECT *, _file AS in_file, _pos AS at FROM %2$s) t FULL JOIN %2$s__rowmark_index i USING (%3$s) ORDER BY 1"
                      .formatted(String.join(", i.", keys.names()), data, key))
              .collectAsList()) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          Object value = row.get(i);
          shown.add(String.valueOf(i == 2 || i == 4 ? numbers.get(String.valueOf(value)) : value));
        }
        rows.add(String.join(" ", shown));
      }
      return rows;
    }
  }

  private static List<String> events(Keys keys, Random random, int batch) {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      List<String> values = keys.values(random.nextInt(40));
      // one in eight comes late: older than what an earlier batch applied
      int order = random.nextInt(8) == 0 ? 1 + random.nextInt(50) : 1000 * batch + 100 + i;
      String op = random.nextInt(4) == 0 ? "d" : "u";
      events.add(event(keys, values, op, order));
    }
    return events;
  }

  private static String put(int key, int order) {
    return event(Keys.BIGINT, Keys.BIGINT.values(key), "u", order);
  }

  private static String event(Keys keys, List<String> values, String op, int order) {
    StringBuilder image = new StringBuilder();
    for (int k = 0; k < values.size(); k++) {
      image.append("\"%s\":%s,".formatted(keys.names().get(k), values.get(k)));
    }
    image.append("\"v\":\"v").append(order).append('"');
    return "{\"op\":\"%s\",\"%s\":{%s},\"source\":{\"connector\":\"postgresql\",\"sequence\":\"[\\\"%d\\\",\\\"%d\\\"]\"}}"
        .formatted(op, op.equals("d") ? "before" : "after", image, order, order);
  }

  private static Map<String, Long> counts(BatchReport report) {
    return report.tables().get(0).counts().entrySet().stream()
        .filter(count -> count.getKey().matches(KEPT_COUNTS))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BIGINT", "TEXT"})
  void soItDoesForOtherKeys(Keys keys) throws IOException {
    theDriverComesToTheSameRowsPlacesAndOrdersAsSpark(keys);
  }

  @ParameterizedTest
  @EnumSource(names = {"BIGINT", "TEXT"})
  void theDriverComesToTheSameRowsPlacesAndOrdersAsSpark(Keys keys) throws IOException {
    Side driver = new Side("driver", keys, BatchSpec.DEFAULT_DRIVER_EVENTS);
    Side inSpark = new Side("spark", keys, 0);
    Random random = new Random(SEED);
    for (int batch = 0; batch < 3; batch++) {
      List<String> events = events(keys, random, batch);
      BatchReport one = driver.ingest(batch, events);
      BatchReport other = inSpark.ingest(batch, events);
      assertThat(counts(one)).as("seed %d, batch %d", SEED, batch).isEqualTo(counts(other));
      assertThat(driver.rows())
          .as("seed %d, batch %d", SEED, batch)
          .isNotEmpty()
          .isEqualTo(inSpark.rows());
    }
  }

  @Test
  void aSmallBatchOnAnExistingTableStartsNoSparkJob() throws Exception {
    Side driver = new Side("jobs", Keys.BIGINT, BatchSpec.DEFAULT_DRIVER_EVENTS);
    Random random = new Random(SEED);
    driver.ingest(0, events(Keys.BIGINT, random, 0));
    AtomicInteger jobs = new AtomicInteger();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart start) {
            jobs.incrementAndGet();
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      BatchReport report = driver.ingest(1, events(Keys.BIGINT, random, 1));
      spark.sparkContext().listenerBus().waitUntilEmpty();
      assertThat(report.tables().get(0).counts())
          .containsEntry("index-files-read", 1L)
          .containsEntry("index-pages-read", 1L);
      assertThat(jobs).hasValue(0);
      // the listener does see jobs
      assertThat(driver.rows()).isNotEmpty();
      spark.sparkContext().listenerBus().waitUntilEmpty();
      assertThat(jobs).hasPositiveValue();
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
  }

  @Test
  void runsOfTheIndexAreMergedBeforeTheyAreMany() throws IOException {
    Side side = new Side("runs", Keys.BIGINT, BatchSpec.DEFAULT_DRIVER_EVENTS);
    List<Long> opened = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    int batches = MERGE_RUNS + 3;
    for (int batch = 0; batch < batches; batch++) {
      // new keys, and one of the first batch, whose entry moves from run to run
      List<String> events =
          List.of(put(0, 1000 * batch), put(1 + 2 * batch, 1000 * batch), put(2 + 2 * batch, 1));
      BatchReport.TableReport report = side.ingest(batch, events).tables().get(0);
      opened.add(report.counts().get("index-files-read"));
      report.notes().stream().filter(note -> note.contains("merged")).forEach(notes::add);
    }
    assertThat(side.rows()).hasSize(1 + 2 * batches);
    assertThat(notes).singleElement().asString().startsWith("merged ");
    assertThat(opened)
        .as("index files opened by each batch")
        .allMatch(files -> files <= MERGE_RUNS);
    assertThat(opened.get(opened.size() - 1)).isLessThanOrEqualTo(4);
    assertThat(
            IndexVerifier.verify(
                    spark,
                    new IndexedTable(
                        side.catalog.iceberg(),
                        side.catalog.name(),
                        TableIdentifier.of("shop", "things"),
                        TableIdentifier.of("shop", "things__rowmark_index"),
                        List.of("k")))
                .agrees())
        .isTrue();
  }
}
