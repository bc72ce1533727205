package io.rowmark.index.verify;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.xxhash64;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.Freshness;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.ReadableKey;
import io.rowmark.index.scan.TaskCount;
import io.rowmark.index.verify.Difference.Kind;
import io.rowmark.index.verify.KeyComparison.UnknownFile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index with its data table, both ways, at one snapshot of each. Changes nothing. The
 * comparison runs where the data is; only counts and a few examples come to the driver.
 */
public final class IndexVerifier {
  /** Percent that stands for all keys. */
  public static final double FULL = 100;

  /** Parts that percents are counted in, so that small shares of large tables can be asked for. */
  private static final int SLOTS = 1_000_000;

  private final SparkSession spark;
  private final IndexedTable names;
  private final double percent;

  private IndexVerifier(SparkSession spark, IndexedTable names, double percent) {
    this.spark = spark;
    this.names = names;
    this.percent = percent;
  }

  /** Compares all keys. */
  public static VerifyReport verify(SparkSession spark, IndexedTable names) {
    return verify(spark, names, FULL);
  }

  /**
   * Compares a share of the keys, chosen by hash: the same keys on both sides and in every run.
   * Both tables are still scanned; a sample saves the sort.
   *
   * @param percent above 0 and at most 100
   * @throws RowmarkException CONFIG for a percent out of range, a missing table or an unfit key;
   *     TABLE_STATE when there is no index
   */
  public static VerifyReport verify(SparkSession spark, IndexedTable names, double percent) {
    if (!(percent > 0 && percent <= FULL)) {
      throw RowmarkException.config(
          "A sample of %s percent was asked for. Give a number above 0 and at most 100."
              .formatted(percent));
    }
    return new IndexVerifier(spark, names, percent).verify();
  }

  private VerifyReport verify() {
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    ReadableKey.check(names, key);
    Table index =
        IndexTables.find(names.catalog(), names.index())
            .orElseThrow(
                () ->
                    RowmarkException.tableState(
                        "Table %s has no index %s. Run 'rowmark index build'."
                            .formatted(names.data(), names.index())));
    IndexTables.checkKey(index, key, names.data());
    FileNumbers files = FileNumbers.of(LiveFiles.at(data, data.currentSnapshot()));
    VerifyOutput output = compare(data, index, key, files);
    List<Difference> differences = new ArrayList<>();
    Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
    kinds.putAll(output.kinds());
    if (IndexTables.freshness(index, data, key) instanceof Freshness.Stale stale) {
      differences.add(
          new Difference(
              Kind.STALE_COVERAGE,
              null,
              null,
              "%s: %s".formatted(Kind.STALE_COVERAGE.meaning(), stale.reason())));
      kinds.put(Kind.STALE_COVERAGE, 1L);
    }
    long count = differences.size() + output.findings();
    output.examples().stream()
        .limit(VerifyReport.MOST_EXAMPLES - differences.size())
        .forEach(finding -> differences.add(finding.toDifference(files)));
    return new VerifyReport(
        idOf(data.currentSnapshot()),
        idOf(index.currentSnapshot()),
        output.rows(),
        output.entries(),
        output.tombstones(),
        differences,
        count,
        kinds,
        percent);
  }

  private VerifyOutput compare(Table data, Table index, KeySpec key, FileNumbers files) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<FileNumbers> sharedFiles = context.broadcast(files);
    KeyedRows keyed = new KeyedRows(spark, names, key, sharedFiles);
    List<Dataset<Row>> inputs = new ArrayList<>();
    long rows = 0;
    Snapshot dataSnapshot = data.currentSnapshot();
    if (dataSnapshot != null && files.size() > 0) {
      inputs.add(keyed.rows(data, dataSnapshot, DataTypes.StringType));
      rows += TaskCount.recordsIn(dataSnapshot);
    }
    Snapshot indexSnapshot = index.currentSnapshot();
    if (indexSnapshot != null) {
      inputs.add(keyed.entries(index, indexSnapshot));
      rows += TaskCount.recordsIn(indexSnapshot);
    }
    if (inputs.isEmpty()) {
      return VerifyOutput.NOTHING;
    }
    int tasks = TaskCount.forRows(spark, (long) (rows * percent / FULL));
    Dataset<Row> sorted =
        inputs.stream()
            .map(input -> sampled(input, keyed))
            .reduce(Dataset::unionAll)
            .orElseThrow()
            .repartition(tasks, keyed.keyColumns())
            .sortWithinPartitions(keyed.keyColumns());
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: verify index of " + names.data())) {
      List<byte[]> outputs =
          sorted
              .queryExecution()
              .toRdd()
              .toJavaRDD()
              .mapPartitions(new VerifyTask(sharedFiles, key, UnknownFile.ALONE))
              .collect();
      return VerifyOutput.sum(
          outputs.stream()
              .map(bytes -> (VerifyOutput) SerializationUtil.deserializeFromBytes(bytes))
              .toList());
    } finally {
      sharedFiles.unpersist();
    }
  }

  private Dataset<Row> sampled(Dataset<Row> input, KeyedRows keyed) {
    if (percent == FULL) {
      return input;
    }
    long slots = Math.max(1, Math.round(percent / FULL * SLOTS));
    return input.where(pmod(xxhash64(keyed.keyColumns()), lit(SLOTS)).lt(slots));
  }

  private static @Nullable Long idOf(@Nullable Snapshot snapshot) {
    return snapshot == null ? null : snapshot.snapshotId();
  }
}
