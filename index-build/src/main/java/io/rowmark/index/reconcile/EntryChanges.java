package io.rowmark.index.reconcile;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.DeleteWriteTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Writes what becomes of merged entries and rows: first a sorted run of new entries, then the
 * deletes of old ones. Both read one shuffle, so that they see the same input.
 */
public final class EntryChanges {
  private static final long DELETE_FILES_PER_TASK = 8;
  private static final StructType PLACE =
      new StructType().add("file", DataTypes.StringType).add("position", DataTypes.LongType);

  private final SparkSession spark;
  private final IndexDelta delta;
  private final JavaRDD<InternalRow> sorted;
  private final Broadcast<MergePlan> plan;

  /**
   * @param sorted stale entries and rows, by key, a key in one partition
   */
  public EntryChanges(
      SparkSession spark,
      IndexDelta delta,
      KeySpec key,
      FileNumbers files,
      FileNumbers entryFiles,
      Dataset<Row> sorted) {
    this.spark = spark;
    this.delta = delta;
    this.sorted = sorted.queryExecution().toRdd().toJavaRDD();
    this.plan =
        context()
            .broadcast(
                new MergePlan(shippable(), key, files, entryFiles, UUID.randomUUID().toString()));
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  private Table shippable() {
    return SerializableTableWithSize.copyOf(delta.table());
  }

  /**
   * Writes both, unless a key is null or has two rows: then nothing is left behind.
   *
   * @return with the problems of keys, if there are any
   */
  public Written write() {
    try {
      MergeOutput merged = writeRun();
      if (merged.problems().any()) {
        delta.discard(merged.files(), List.of());
        return new Written(merged.withoutFiles(), List.of());
      }
      try {
        return new Written(merged, merged.dropped() == 0 ? List.of() : writeDeletes());
      } catch (RuntimeException e) {
        delta.discard(merged.files(), List.of());
        throw e;
      }
    } finally {
      plan.unpersist();
    }
  }

  private MergeOutput writeRun() {
    return MergeOutput.sum(
        sorted.mapPartitions(new RunTask(plan)).collect().stream()
            .map(bytes -> (MergeOutput) SerializationUtil.deserializeFromBytes(bytes))
            .toList());
  }

  private List<FileDeletes> writeDeletes() {
    Map<String, LiveFile> files = new HashMap<>();
    delta.live().all().forEach(live -> files.put(live.path(), live));
    Broadcast<DeletePlan> deletes =
        context()
            .broadcast(
                new DeletePlan(
                    shippable(),
                    DeleteFormat.positional(TableUtil.formatVersion(delta.table())),
                    files,
                    UUID.randomUUID().toString()));
    try {
      int tasks = (int) (1 + files.size() / DELETE_FILES_PER_TASK);
      return spark
          .createDataFrame(sorted.mapPartitions(new DropTask(plan)), PLACE)
          .repartition(tasks, col("file"))
          .sortWithinPartitions("file", "position")
          .mapPartitions(new DeleteWriteTask(deletes), Encoders.BINARY())
          .collectAsList()
          .stream()
          .map(bytes -> (FileDeletes) SerializationUtil.deserializeFromBytes(bytes))
          .toList();
    } finally {
      deletes.unpersist();
    }
  }
}
