package io.rowmark.index.resolve;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import com.sun.management.OperatingSystemMXBean;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.key.SortedKeysBuilder;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.index.testing.LocalSpark.LocalCatalog;
import io.rowmark.index.write.IndexRunWriter;
import io.rowmark.index.write.TaskNumber;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Page lookup beside a join in Spark, on an index of sequential bigint keys whose rows lie at
 * random places. Run by hand: arguments are a folder and the number of entries; {@code
 * -Dlookup.pages-only=true} leaves the joins out. Not a test.
 */
public final class LookupBenchmark {
  private static final int WARM_UPS = Integer.getInteger("lookup.warm-ups", 2);
  private static final int RUNS = Integer.getInteger("lookup.runs", 3);
  private static final long ROWS_PER_FILE = 1_000_000;

  private LookupBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    long entries = Long.parseLong(arguments[1]);
    LocalCatalog catalog = LocalSpark.hadoopCatalog(folder);
    Schema data = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
    KeySpec key = KeySpec.of("t", data, List.of("id"));
    Table index = index(catalog, key, entries);
    Collection<LiveFile> files =
        LiveFiles.withBounds(index, index.currentSnapshot(), PageLookup.boundedColumns(index, key))
            .all();
    System.out.printf(
        "%,d entries, %d files, %,d bytes; java %s, %d processors%n",
        entries,
        files.size(),
        files.stream().mapToLong(file -> file.file().fileSizeInBytes()).sum(),
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    for (Batch batch : batches(entries)) {
      pages(index, key, files, batch);
      if (!Boolean.getBoolean("lookup.pages-only")) {
        join(LocalSpark.session(), catalog.name() + ".b.index" + entries, batch);
      }
    }
  }

  /** Keys are even numbers below twice the number of entries. */
  private record Batch(String name, long[] keys) {}

  private static List<Batch> batches(long entries) {
    return List.of(
        new Batch("100 uniform", draw(100, 0, entries, 0)),
        new Batch("10 k uniform", draw(10_000, 0, entries, 0)),
        new Batch("1 M uniform", draw(1_000_000, 0, entries, 0)),
        new Batch("10 k newest 5 %", draw(10_000, entries - entries / 20, entries, 0)),
        new Batch("10 k uniform, absent", draw(10_000, 0, entries, 1)));
  }

  private static long[] draw(int count, long from, long to, int add) {
    Random random = new Random(7);
    TreeSet<Long> drawn = new TreeSet<>();
    while (drawn.size() < count) {
      drawn.add((from + (long) (random.nextDouble() * (to - from))) * 2 + add);
    }
    return drawn.stream().mapToLong(Long::longValue).toArray();
  }

  private static Table index(LocalCatalog catalog, KeySpec key, long entries) throws Exception {
    TableIdentifier name = TableIdentifier.of("b", "index" + entries);
    if (catalog.iceberg().tableExists(name)) {
      return catalog.iceberg().loadTable(name);
    }
    SupportsNamespaces namespaces = (SupportsNamespaces) catalog.iceberg();
    if (!namespaces.namespaceExists(Namespace.of("b"))) {
      namespaces.createNamespace(Namespace.of("b"));
    }
    Table table = IndexTables.builder(catalog.iceberg(), name, 3, key).create();
    UTF8String[] paths = new UTF8String[(int) (entries / ROWS_PER_FILE) + 1];
    Arrays.setAll(
        paths,
        i ->
            UTF8String.fromString(
                "s3://lake/warehouse/shop/orders/data/%050d.parquet".formatted(i)));
    IndexRunWriter writer = new IndexRunWriter(table, key, TaskNumber.onDriver(0), "bench");
    try (writer) {
      Object[] value = new Object[1];
      InternalRow row = new GenericInternalRow(value);
      for (long i = 0; i < entries; i++) {
        value[0] = i * 2;
        long place = Math.floorMod(i * 0x9E3779B97F4A7C15L >>> 20, entries);
        int file = (int) (place / ROWS_PER_FILE);
        writer.add(row, new int[] {0}, paths[file], place % ROWS_PER_FILE, null, null);
      }
    }
    AppendFiles append = table.newAppend();
    writer.files().forEach(append::appendFile);
    append.commit();
    return table;
  }

  private static void pages(Table index, KeySpec key, Collection<LiveFile> files, Batch batch) {
    SortedKeysBuilder builder = SortedKeys.builder(key);
    for (long value : batch.keys()) {
      builder.setLong(0, value);
      builder.next();
    }
    SortedKeys keys = builder.build();
    PageLookup lookup = PageLookup.of(index, key, ReadRanges.DEFAULT);
    LookupCost[] cost = new LookupCost[1];
    measure(
        batch.name() + ", pages",
        () -> {
          LookupResult result = lookup.find(files, keys, Runnable::run);
          cost[0] = result.cost();
          return result.hits().size();
        });
    System.out.printf("    %s%n    %s%n", cost[0], lookup.estimate(files, keys));
  }

  private static void join(SparkSession spark, String table, Batch batch) {
    List<Long> keys = new ArrayList<>();
    Arrays.stream(batch.keys()).forEach(keys::add);
    Dataset<Long> wanted = spark.createDataset(keys, Encoders.LONG()).cache();
    wanted.count();
    long lowest = batch.keys()[0];
    long highest = batch.keys()[batch.keys().length - 1];
    measure(
        batch.name() + ", join",
        () ->
            spark
                .sql(
                    "SELECT id, data_file, position, row_id, change_order, _file, _pos FROM "
                        + table)
                .filter(col("id").geq(lit(lowest)).and(col("id").leq(lit(highest))))
                .join(broadcast(wanted.toDF("w")), col("id").equalTo(col("w")))
                .queryExecution()
                .toRdd()
                .count());
    wanted.unpersist();
  }

  private static void measure(String name, LongSupplier work) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long[] cpu = new long[RUNS];
    long[] wall = new long[RUNS];
    long found = 0;
    long bytes = 0;
    for (int run = -WARM_UPS; run < RUNS; run++) {
      long bytesBefore = bytesRead();
      long cpuBefore = system.getProcessCpuTime();
      long wallBefore = System.nanoTime();
      found = work.getAsLong();
      if (run >= 0) {
        wall[run] = (System.nanoTime() - wallBefore) / 1_000_000;
        cpu[run] = (system.getProcessCpuTime() - cpuBefore) / 1_000_000;
        bytes = bytesRead() - bytesBefore;
      }
    }
    Arrays.sort(cpu);
    Arrays.sort(wall);
    System.out.printf(
        "%-28s found %,9d  CPU %,6d ms (%,d to %,d)  wall %,6d ms  read %,12d B%n",
        name, found, cpu[RUNS / 2], cpu[0], cpu[RUNS - 1], wall[RUNS / 2], bytes);
  }

  @SuppressWarnings("deprecation") // the counters by scheme have no other face for all threads
  private static long bytesRead() {
    return FileSystem.getAllStatistics().stream()
        .mapToLong(FileSystem.Statistics::getBytesRead)
        .sum();
  }
}
