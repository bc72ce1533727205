package io.rowmark.index.verify;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.InternalRows;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.verify.Difference.Kind;
import io.rowmark.index.verify.KeyComparison.UnknownFile;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Compares rows and entries where the latter come with their places in the index, and keeps those
 * of differing keys until closed, to be mended.
 */
public final class DifferingKeys implements AutoCloseable {
  private final Dataset<Row> sides;
  private final KeySpec key;
  private final Broadcast<FileNumbers> files;

  private final int tasks;

  private DifferingKeys(Dataset<Row> sides, KeySpec key, Broadcast<FileNumbers> files, int tasks) {
    this.sides = sides;
    this.key = key;
    this.files = files;
    this.tasks = tasks;
  }

  /**
   * @param sides rows and entries in the shape of {@link KeyedRows}, with {@link
   *     KeyedRows#ENTRY_PLACE_AND_PATH}, in any order
   * @param tasks to cut the comparison into
   */
  public static DifferingKeys in(
      SparkSession spark,
      Dataset<Row> sides,
      KeySpec key,
      Broadcast<FileNumbers> files,
      int tasks) {
    Dataset<Row> found =
        InternalRows.asDataset(
            spark,
            KeyedRows.shape(key, KeyedRows.ENTRY_PLACE_AND_PATH),
            sorted(sides, key, tasks)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .mapPartitions(new DifferingKeysTask(files, key)));
    return new DifferingKeys(found.persist(StorageLevel.MEMORY_AND_DISK()), key, files, tasks);
  }

  private static Dataset<Row> sorted(Dataset<Row> rows, KeySpec key, int tasks) {
    Column[] columns = KeyedRows.keyColumns(key);
    return rows.repartition(tasks, columns).sortWithinPartitions(columns);
  }

  /** Rows and entries of the differing keys. */
  public Dataset<Row> sides() {
    return sides;
  }

  /**
   * What is wrong with some keys.
   *
   * @param rows and entries compared; all of them are of differing keys
   * @param kinds how many differences there are of each kind
   * @param examples the first of them
   */
  public record Found(long rows, long entries, Map<Kind, Long> kinds, List<Difference> examples) {
    public Found {
      kinds = Map.copyOf(kinds);
      examples = List.copyOf(examples);
    }

    /** Differences of all kinds. */
    public long count() {
      return kinds.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Says what is wrong with the differing keys. */
  public Found found() {
    VerifyTask task = new VerifyTask(files, key, UnknownFile.BEHIND_PLACE);
    VerifyOutput output =
        VerifyOutput.sum(
            sorted(sides, key, tasks)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .mapPartitions(task)
                .collect()
                .stream()
                .map(bytes -> (VerifyOutput) SerializationUtil.deserializeFromBytes(bytes))
                .toList());
    List<Difference> examples =
        output.examples().stream()
            .limit(VerifyReport.MOST_EXAMPLES)
            .map(finding -> finding.toDifference(files.value()))
            .toList();
    return new Found(
        output.rows(), output.entries() + output.tombstones(), output.kinds(), examples);
  }

  @Override
  public void close() {
    sides.unpersist();
  }
}
