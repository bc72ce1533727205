package io.rowmark.index.purge;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.convert.DeadRows;
import io.rowmark.index.scan.JobDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/** Work on files of one table that Spark spreads: looking for keys, and writing without them. */
final class KeyScan {
  private static final int FILES_PER_TASK = 4;

  /** What a scan of a file has to say. */
  enum Depth {
    /** How many rows, live and dead. */
    COUNT,
    /** Whether there is one. */
    EXISTENCE
  }

  private KeyScan() {}

  /**
   * Looks for the keys in files of a table.
   *
   * @param files any that the table had at some time, with the deletes that tell live from dead
   * @return the files that hold one
   */
  static List<FileHits> find(
      SparkSession spark, Table table, WantedKeys keys, Collection<LiveFile> files, Depth depth) {
    return run(
        spark,
        "look for keys in " + table.name(),
        new ArrayList<>(files),
        plan(spark, table, keys),
        plan -> new KeyScanTask(plan, depth));
  }

  /** What a task of a table needs; shipped once for each piece of work. */
  static Broadcast<PurgePlan> plan(SparkSession spark, Table table, WantedKeys keys) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .broadcast(
            new PurgePlan(
                SerializableTableWithSize.copyOf(table),
                SchemaParser.toJson(DeadRows.everyColumn(table)),
                keys,
                "purge-" + UUID.randomUUID()));
  }

  /** Makes the task of a piece of work. */
  @FunctionalInterface
  interface Work<I> {
    FlatMapFunction<java.util.Iterator<I>, byte[]> with(Broadcast<PurgePlan> plan);
  }

  /** Runs a task over items, and forgets its plan. */
  static <I, O> List<O> run(
      SparkSession spark, String text, List<I> items, Broadcast<PurgePlan> plan, Work<I> work) {
    List<O> results = new ArrayList<>();
    if (!items.isEmpty()) {
      int tasks = 1 + items.size() / FILES_PER_TASK;
      try (JobDescription ignored = JobDescription.set(spark, "Rowmark: " + text)) {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        for (byte[] bytes :
            context.parallelize(items, tasks).mapPartitions(work.with(plan)).collect()) {
          O result = SerializationUtil.deserializeFromBytes(bytes);
          results.add(result);
        }
      }
    }
    plan.unpersist();
    return results;
  }
}
