package io.rowmark.index.scan;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.scan.FileReadPlan.Wanted;
import io.rowmark.index.scan.FileReadTask.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The live rows of chosen data files, deletes of every kind applied, in the shape of {@link
 * KeyedRows}. Opens these files and no others: Spark's scan of a table knows no filter by file.
 */
public final class FileRows {
  private static final long PART_BYTES = 128L << 20;

  private FileRows() {}

  /**
   * @param numbers of the live files, the chosen ones among them
   * @param extraType type of the empty {@link KeyedRows#EXTRA} column
   */
  public static Dataset<Row> of(
      SparkSession spark,
      Table data,
      KeySpec key,
      FileNumbers numbers,
      Collection<LiveFile> files,
      DataType extraType) {
    FileReadPlan plan = FileReadPlan.of(data, key, numbers, files, Wanted.ROW_ID);
    return read(spark, plan, files, KeyedRows.shape(key, extraType));
  }

  /**
   * The same, with the sequence number of the commit that last changed each row as {@link
   * KeyedRows#EXTRA}. Format version 3 tells it for each row (Iceberg table spec, "Row Lineage");
   * before, it is that of the data file, and null for a file of format version 1.
   */
  public static Dataset<Row> withAges(
      SparkSession spark,
      Table data,
      KeySpec key,
      FileNumbers numbers,
      Collection<LiveFile> files) {
    FileReadPlan plan = FileReadPlan.of(data, key, numbers, files, Wanted.AGE);
    return read(spark, plan, files, KeyedRows.shape(key, DataTypes.LongType));
  }

  private static Dataset<Row> read(
      SparkSession spark, FileReadPlan plan, Collection<LiveFile> files, StructType shape) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<Part> parts = parts(plan);
    Broadcast<FileReadPlan> shipped = context.broadcast(plan);
    int tasks = Math.max(1, Math.min(parts.size(), tasks(context, files)));
    return InternalRows.asDataset(
        spark, shape, context.parallelize(parts, tasks).mapPartitions(new FileReadTask(shipped)));
  }

  /** The files in parts that one task may read. */
  static List<Part> parts(FileReadPlan plan) {
    List<Part> parts = new ArrayList<>();
    for (int number : plan.numbers()) {
      FileScanTask whole = plan.scan(number);
      for (FileScanTask part : whole.split(PART_BYTES)) {
        parts.add(new Part(number, part.start(), part.length()));
      }
    }
    return parts;
  }

  /** How many tasks read some files. */
  static int tasks(JavaSparkContext context, Collection<LiveFile> files) {
    long bytes = files.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum();
    return (int) Math.max(context.defaultParallelism(), bytes / PART_BYTES + 1);
  }
}
