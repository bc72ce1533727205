package io.rowmark.index.duplicates;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.FileRows;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.TaskCount;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.DeleteWriteTask;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/**
 * The rows of some data files whose key a newer row of these files has. Reads the keys and ages of
 * the files, and no others. Keeps what it found until closed.
 */
public final class OlderRows implements AutoCloseable {
  private static final long DELETE_FILES_PER_TASK = 8;
  private static final StructType SHAPE =
      new StructType()
          .add("file", DataTypes.StringType, false)
          .add("position", DataTypes.LongType, false)
          .add("newest_file", DataTypes.StringType, false)
          .add("newest_position", DataTypes.LongType, false)
          .add("number", DataTypes.IntegerType, false);

  private final SparkSession spark;
  private final Table data;
  private final Broadcast<FileNumbers> numbers;
  private final Dataset<Row> found;

  private OlderRows(
      SparkSession spark, Table data, Broadcast<FileNumbers> numbers, Dataset<Row> found) {
    this.spark = spark;
    this.data = data;
    this.numbers = numbers;
    this.found = found;
  }

  /**
   * @param data as loaded, or as staged
   * @param live the files of its current snapshot
   * @param files those to look into
   */
  public static OlderRows in(
      SparkSession spark, Table data, KeySpec key, LiveFiles live, Collection<LiveFile> files) {
    FileNumbers numbered = FileNumbers.of(live);
    Broadcast<FileNumbers> numbers = context(spark).broadcast(numbered);
    long rows = files.stream().mapToLong(file -> file.file().recordCount()).sum();
    Column[] columns = KeyedRows.keyColumns(key);
    Dataset<Row> sorted =
        FileRows.withAges(spark, data, key, numbered, files)
            .repartition(TaskCount.forRows(spark, rows), columns)
            .sortWithinPartitions(columns);
    Dataset<Row> found =
        spark
            .createDataFrame(
                sorted
                    .queryExecution()
                    .toRdd()
                    .toJavaRDD()
                    .mapPartitions(new OlderRowsTask(numbers, key)),
                SHAPE)
            .persist(StorageLevel.MEMORY_AND_DISK());
    return new OlderRows(spark, data, numbers, found);
  }

  private static JavaSparkContext context(SparkSession spark) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  /** How many there are, and where some of them are. */
  public Duplicates summary() {
    Row counts = found.agg(count(when(col("number").equalTo(0), lit(1))), count(lit(1))).first();
    if (counts.getLong(1) == 0) {
      return Duplicates.NONE;
    }
    List<DuplicatePlace> examples =
        found.orderBy("file", "position").limit(Duplicates.MOST_EXAMPLES).collectAsList().stream()
            .map(
                row ->
                    new DuplicatePlace(
                        row.getString(0), row.getLong(1), row.getString(2), row.getLong(3)))
            .toList();
    return new Duplicates(counts.getLong(0), counts.getLong(1), examples);
  }

  /** Writes deletes of these rows, in the positional format of the table. Commits nothing. */
  public List<FileDeletes> writeDeletes(LiveFiles live) {
    Map<String, LiveFile> touched = new HashMap<>();
    found
        .select("file")
        .distinct()
        .collectAsList()
        .forEach(row -> touched.put(row.getString(0), live.require(row.getString(0))));
    Broadcast<DeletePlan> plan =
        context(spark)
            .broadcast(
                new DeletePlan(
                    SerializableTableWithSize.copyOf(data),
                    DeleteFormat.positional(TableUtil.formatVersion(data)),
                    touched,
                    UUID.randomUUID().toString()));
    try {
      int tasks = (int) (1 + touched.size() / DELETE_FILES_PER_TASK);
      return found
          .select("file", "position")
          .repartition(tasks, col("file"))
          .sortWithinPartitions("file", "position")
          .mapPartitions(new DeleteWriteTask(plan), Encoders.BINARY())
          .collectAsList()
          .stream()
          .map(bytes -> (FileDeletes) SerializationUtil.deserializeFromBytes(bytes))
          .toList();
    } finally {
      plan.unpersist();
    }
  }

  @Override
  public void close() {
    found.unpersist();
    numbers.unpersist();
  }
}
