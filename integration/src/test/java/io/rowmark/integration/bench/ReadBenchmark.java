package io.rowmark.integration.bench;

import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.config.AppConfigReader;
import io.rowmark.app.config.EffectiveConfig;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.merge.normalize.GapPolicy;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Normalizer;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.TableOpener;
import io.rowmark.merge.source.SeenInputs;
import io.rowmark.merge.source.SourceReader;
import io.rowmark.merge.source.TableInput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Measures how many events a second are read, normalized and reduced to one net change for each
 * key, by the format of the files. Every format must give the same number of net changes.
 *
 * <p>Run with {@code mvn -B -Pbench verify -pl integration -am}; see docs/benchmarks.md.
 */
public final class ReadBenchmark {
  private static final int FILES = 8;
  private static final long SEED = 20261130;

  private final SparkSession spark;
  private final Path folder;
  private final int events;
  private final int rounds;

  private ReadBenchmark(SparkSession spark, Path folder) {
    this.spark = spark;
    this.folder = folder;
    this.events = Integer.getInteger("bench.events", 1_000_000);
    this.rounds = Integer.getInteger("bench.rounds", 3);
  }

  /**
   * One round.
   *
   * @param normalized seconds until events are typed and counted, schemas settled
   * @param reduced seconds from there until each net change was handed out
   * @param cpu seconds of both
   */
  private record Cost(double normalized, double reduced, double cpu, long netChanges) {
    double wall() {
      return normalized + reduced;
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder =
        Files.createTempDirectory(
            Path.of(System.getProperty("bench.dir", System.getProperty("java.io.tmpdir"))),
            "rowmark-read");
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("rowmark-read")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate()) {
      spark.sparkContext().setLogLevel("WARN");
      new ReadBenchmark(spark, folder).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    List<EventFormat> formats =
        Arrays.stream(System.getProperty("bench.formats", "").split(","))
            .filter(name -> !name.isEmpty())
            .map(EventFormat::valueOf)
            .toList();
    System.out.printf(
        "%-26s %7s %10s %10s %8s %12s %12s%n",
        "format", "B/event", "normalize", "reduce", "CPU s", "events/s", "net changes");
    for (EventFormat format : formats.isEmpty() ? List.of(EventFormat.values()) : formats) {
      Path landing = folder.resolve(format.name());
      write(format, landing.resolve("bench.public.orders"));
      long bytes = bytes(landing);
      for (int round = 1; round <= rounds; round++) {
        Cost cost = measure(format, landing);
        System.out.printf(
            "%-26s %7.0f %10.2f %10.2f %8.1f %,12.0f %,12d%n",
            format.label() + ", round " + round,
            (double) bytes / events,
            cost.normalized,
            cost.reduced,
            cost.cpu,
            events / cost.wall(),
            cost.netChanges);
      }
    }
  }

  private void write(EventFormat format, Path topic) throws IOException {
    int each = events / FILES;
    for (int file = 0; file < FILES; file++) {
      long first = (long) file * each;
      format.write(topic, first, each, new OrderEvents(SEED + file, events / 2, first));
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private Cost measure(EventFormat format, Path landing) throws IOException, InterruptedException {
    AppConfig config = config(format, landing);
    Catalog catalog =
        CatalogUtil.buildIcebergCatalog(
            "bench",
            config.pipeline().catalog().properties(),
            spark.sparkContext().hadoopConfiguration());
    long cpu = cpuNanos();
    long start = System.nanoTime();
    try (DriverThreads threads = DriverThreads.forFiles()) {
      TableInput input =
          new SourceReader(config.pipeline(), catalog, spark.sparkContext().hadoopConfiguration())
              .next(SeenInputs.NONE)
              .tables()
              .get(0);
      TableOpener opener = new TableOpener(catalog, config.pipeline(), TableOpener.Upkeep.NONE);
      NormalizedTable normalized =
          new Normalizer(spark, config.pipeline(), threads)
              .normalize(input, opener.shape(input.spec()));
      if (normalized.eventCount() != events || normalized.rejectCount() > 0) {
        throw new IllegalStateException("Not every event was read: " + normalized.summary());
      }
      long middle = System.nanoTime();
      long net = reduce(normalized);
      long end = System.nanoTime();
      normalized.release();
      return new Cost((middle - start) / 1e9, (end - middle) / 1e9, (cpuNanos() - cpu) / 1e9, net);
    }
  }

  /** Hands out every net change with its row, as the step that looks keys up gets them. */
  private long reduce(NormalizedTable normalized) throws InterruptedException {
    Dataset<Row> changes = NetChanges.changes(normalized, normalized.events().spread(spark));
    Dataset<Row> net =
        NetChanges.of(normalized, changes, normalized.shape().schema(), GapPolicy.FILLED);
    Observation seen = new Observation("net changes");
    net.observe(seen, count(lit(1)).as("changes")).write().format("noop").mode("overwrite").save();
    return (long) seen.getAsJava().get("changes");
  }

  private AppConfig config(EventFormat format, Path landing) throws IOException {
    Path file = folder.resolve(format.name() + ".conf");
    Files.writeString(
        file,
        """
        pipeline = bench
        catalog { name = bench, properties { type = hadoop, warehouse = "%s" } }
        source { format = %s, path = "%s" }
        ledger.table = "db.ledger"
        table-defaults { readers = [spark], delete-format = deletion-vector, format-version = 3 }
        tables {
          "db.orders" {
            topic = bench.public.orders
            key = [order_id]
            # what JSON without schemas does not say
            columns {
              order_id = long
              customer_id = long
              amount = "decimal(12,2)"
              updated_at = timestamp-micros
            }
          }
        }
        """
            .formatted(folder.resolve("warehouse").toUri(), format.setting(), landing));
    return new AppConfigReader(SourceTypes::parse).read(EffectiveConfig.load(file, List.of()));
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
