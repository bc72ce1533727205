package io.rowmark.integration.bench;

import io.rowmark.app.embedded.EmbeddedCatalog;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.SourceTypes;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.build.IndexBuilder;
import io.rowmark.index.verify.IndexVerifier;
import io.rowmark.integration.Declared;
import io.rowmark.integration.bench.Orders.Change;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.spec.BatchSpec;
import io.rowmark.merge.spec.CatalogSpec;
import io.rowmark.merge.spec.CommitSpec;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.RejectSpec;
import io.rowmark.merge.spec.SourceSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;

/**
 * Measures the main job on the orders table: a snapshot load, an index build, and update batches
 * against Spark's own MERGE INTO (merge-on-read, format version 3) in the same session, taking
 * turns. Prints what it measures; asserts that both tables end with the same rows.
 *
 * <p>Run with {@code mvn -B -Pbench verify -pl integration -am}; see docs/benchmarks.md.
 */
public final class OrdersBenchmark {
  private static final String CATALOG = "bench";

  private final SparkSession spark;
  private final Catalog catalog;
  private final EmbeddedCatalog server;
  private final Path landing;
  private final long rows;
  private final int batchSize;
  private final int rounds;

  private OrdersBenchmark(SparkSession spark, EmbeddedCatalog server, Path folder) {
    this.spark = spark;
    this.server = server;
    this.catalog =
        CatalogUtil.buildIcebergCatalog(CATALOG, server.clientProperties(), new Configuration());
    this.landing = folder.resolve("landing");
    this.rows = Long.getLong("bench.rows", 10_000_000);
    this.batchSize = Integer.getInteger("bench.batch", 10_000);
    this.rounds = Integer.getInteger("bench.rounds", 3);
  }

  /** Wall and CPU time of one piece of work. */
  private record Cost(double wall, double cpu) {}

  public static void main(String[] args) throws Exception {
    Path folder =
        Files.createTempDirectory(
            Path.of(System.getProperty("bench.dir", System.getProperty("java.io.tmpdir"))),
            "rowmark-bench");
    try (EmbeddedCatalog server = EmbeddedCatalog.start(folder.resolve("catalog"), 0);
        SparkSession spark = session(server)) {
      new OrdersBenchmark(spark, server, folder).run();
    }
  }

  private static SparkSession session(EmbeddedCatalog server) {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .appName("rowmark-bench")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
            .config("spark.sql.catalog." + CATALOG, "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog." + CATALOG + ".cache-enabled", "false");
    server
        .clientProperties()
        .forEach((key, value) -> builder.config("spark.sql.catalog." + CATALOG + "." + key, value));
    SparkSession spark = builder.getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    return spark;
  }

  private void run() throws Exception {
    spark.sql("CREATE NAMESPACE IF NOT EXISTS bench.db");
    snapshotLoad(Long.getLong("bench.snapshot", 1_000_000));
    create("orders");
    create("orders_merge");
    IndexedTable names =
        new IndexedTable(
            catalog,
            CATALOG,
            TableIdentifier.of("db", "orders"),
            TableIdentifier.of("db", "orders__rowmark_index"),
            List.of("order_id"));
    BuildReport[] built = new BuildReport[1];
    Cost build = timed(() -> built[0] = IndexBuilder.build(spark, names));
    System.out.printf(
        "index build: %,d rows, %.1f s wall, %.1f s CPU, %,.0f rows/s, %.3f bytes/row%n",
        rows, build.wall, build.cpu, rows / build.wall, (double) built[0].bytes() / rows);
    rounds();
    System.out.println("index verify: " + IndexVerifier.verify(spark, names).agrees());
    compare();
  }

  private void create(String table) throws Exception {
    spark.sql(
        ("CREATE TABLE bench.db.%s (order_id BIGINT NOT NULL, customer_id BIGINT, status STRING, amount DECIMAL(12,2), updated_at TIMESTAMP_NTZ, note STRING) USING iceberg"
                + " TBLPROPERTIES ('format-version'='3','write.delete.mode'='merge-on-read','write.update.mode'='merge-on-read','write.merge.mode'='merge-on-read','write.target-file-size-bytes'='104857600','write.parquet.compression-codec'='zstd')")
            .formatted(table));
    Cost cost =
        timed(() -> Orders.rows(spark, rows).coalesce(4).writeTo("bench.db." + table).append());
    System.out.printf("spark append of %,d rows to %s: %.1f s%n", rows, table, cost.wall);
  }

  private void snapshotLoad(long count) throws Exception {
    int files = 8;
    for (int i = 0; i < files; i++) {
      Path file =
          landing.resolve(
              "bench.public.snapshot/partition=0/bench.public.snapshot+0+%010d.json"
                  .formatted(i * count / files));
      Orders.writeSnapshot(file, i * count / files, (i + 1) * count / files);
    }
    BatchReport[] report = new BatchReport[1];
    Cost cost = timed(() -> report[0] = pipeline("snapshot").run());
    System.out.printf(
        "snapshot load: %,d rows in %.1f s wall, %.1f s CPU, %,.0f rows/s; steps %s%n",
        count, cost.wall, cost.cpu, count / cost.wall, report[0].steps());
  }

  private void rounds() throws Exception {
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      Set<Change> changes =
          Orders.batch(
              1000 + round,
              batchSize,
              rows,
              rows + (long) round * batchSize,
              Orders.Spread.valueOf(System.getProperty("bench.spread", "UNIFORM")));
      String name = "bench.public.orders+0+%010d.json".formatted(round);
      Path file = landing.resolve("bench.public.orders/partition=0").resolve(name);
      Orders.writeDebezium(file, changes, round + 1, 1000L + (long) round * batchSize);
      BatchReport[] report = new BatchReport[1];
      Cost rowmark = timed(() -> report[0] = pipeline("orders").run());
      Cost merge = timed(() -> merge(file));
      ours.add(rowmark.wall);
      theirs.add(merge.wall);
      System.out.printf(
          "round %d: rowmark %.2f s wall %.2f s CPU %s; MERGE INTO %.2f s wall %.2f s CPU%n",
          round, rowmark.wall, rowmark.cpu, report[0].steps(), merge.wall, merge.cpu);
    }
    ours.sort(null);
    theirs.sort(null);
    double a = ours.get(ours.size() / 2);
    double b = theirs.get(theirs.size() / 2);
    System.out.printf(
        "median of %d rounds, %,d keys on %,d rows: rowmark %.2f s, MERGE INTO %.2f s, ratio %.1f%n",
        rounds, batchSize, rows, a, b, b / a);
  }

  private void merge(Path file) {
    spark
        .read()
        .schema(
            "op STRING, before STRUCT<order_id: BIGINT>, after STRUCT<order_id: BIGINT, customer_id: BIGINT, status: STRING, amount: DECIMAL(12,2), updated_at: BIGINT, note: STRING>")
        .json(file.toString())
        .selectExpr(
            "op",
            "coalesce(after.order_id, before.order_id) AS order_id",
            "after.customer_id",
            "after.status",
            "after.amount",
            "CAST(timestamp_micros(after.updated_at) AS TIMESTAMP_NTZ) AS updated_at",
            "after.note")
        .createOrReplaceTempView("changes");
    spark.sql(
        "MERGE INTO bench.db.orders_merge t USING changes s ON t.order_id = s.order_id"
            + " WHEN MATCHED AND s.op = 'd' THEN DELETE"
            + " WHEN MATCHED THEN UPDATE SET customer_id = s.customer_id, status = s.status, amount = s.amount, updated_at = s.updated_at, note = s.note"
            + " WHEN NOT MATCHED AND s.op <> 'd' THEN INSERT (order_id, customer_id, status, amount, updated_at, note) VALUES (s.order_id, s.customer_id, s.status, s.amount, s.updated_at, s.note)");
  }

  private void compare() {
    long differences =
        spark
            .sql(
                "(SELECT * FROM bench.db.orders EXCEPT ALL SELECT * FROM bench.db.orders_merge) UNION ALL (SELECT * FROM bench.db.orders_merge EXCEPT ALL SELECT * FROM bench.db.orders)")
            .count();
    System.out.println("rows that differ between the two tables: " + differences);
    if (differences > 0) {
      throw new IllegalStateException("The contenders did not do the same work");
    }
  }

  private BatchPipeline pipeline(String table) {
    Map<String, ColumnDeclaration> columns =
        Map.of(
            "amount", new ColumnDeclaration(SourceTypes.parse("decimal-text(12,2)"), null),
            "updated_at", new ColumnDeclaration(SourceTypes.parse("timestamp-micros"), null));
    TableSpec spec =
        new TableSpec(
            "bench.public." + table,
            "db." + table,
            TableSpec.Mode.KEYED,
            List.of("order_id"),
            columns,
            List.of(),
            Map.of(),
            TableSpec.SchemaPolicy.EVOLVE,
            TableSpec.TruncatePolicy.APPLY,
            TableFeed.WHOLE_TOPIC,
            Declared.positional(3));
    PipelineSpec pipeline =
        new PipelineSpec(
            "bench-" + table,
            new CatalogSpec(CATALOG, server.clientProperties()),
            new SourceSpec("debezium-json", landing.toString(), "__debezium_unavailable_value"),
            List.of(spec),
            "db.ledger_" + table,
            new IndexSpec("__rowmark_index", IndexSpec.Order.KEPT, IndexSpec.DEFAULT_MERGE_RUNS),
            new BatchSpec(10_000, Long.MAX_VALUE, BatchSpec.DEFAULT_DRIVER_EVENTS),
            new CommitSpec(CommitSpec.Mode.AUTO, 3),
            new RejectSpec("", 0, RejectSpec.Content.REASON_ONLY),
            Declared.capabilities());
    return new BatchPipeline(pipeline, spark, catalog, StepListener.SILENT, report -> {});
  }

  private static Cost measured(Callable<?> work) throws Exception {
    long wall = System.nanoTime();
    long cpu = cpuNanos();
    work.call();
    return new Cost((System.nanoTime() - wall) / 1e9, (cpuNanos() - cpu) / 1e9);
  }

  private static Cost timed(Work work) throws Exception {
    return measured(
        () -> {
          work.run();
          return null;
        });
  }

  /** Work that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
