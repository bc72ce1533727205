package io.rowmark.index.build;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.duplicates.Duplicates;
import io.rowmark.index.duplicates.Removal;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.KeyProblems;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.ReadableKey;
import io.rowmark.index.scan.TaskCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds an index from all rows of its data table, in one pass: scan keys and places, sort by key,
 * write. A former index of the same table and key gives the orders of the last changes and the
 * deleted keys; everything else of it is replaced.
 *
 * <p>Where the newest row of a repeated key is to stay, the others are deleted in a commit of their
 * own, and the table is read again. A refused build commits nothing else. It may leave a new, empty
 * index table behind, which counts as never built.
 */
public final class IndexBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(IndexBuilder.class);

  private final SparkSession spark;
  private final IndexedTable names;

  private IndexBuilder(SparkSession spark, IndexedTable names) {
    this.spark = spark;
    this.names = names;
  }

  /**
   * Builds and commits the index of a table as it is now.
   *
   * @throws RowmarkException CONFIG for a missing table or an unfit key, TABLE_STATE when a key is
   *     null or occurs twice, CONFLICT when the index changed meanwhile
   */
  public static BuildReport build(SparkSession spark, IndexedTable names) {
    return new IndexBuilder(spark, names).build();
  }

  private BuildReport build() {
    long start = System.nanoTime();
    Duplicates removed = Duplicates.NONE;
    while (true) {
      Attempt attempt = attempt();
      removed = removed.plus(attempt.removed());
      if (attempt.built() != null) {
        BuildReport report =
            report(
                attempt.built(), removed, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        LOG.info("Built index {} of {}: {}", names.index(), names.data(), report);
        return report;
      }
    }
  }

  /**
   * One pass over the table.
   *
   * @param built null when older rows of repeated keys were deleted instead
   */
  private record Attempt(@Nullable Built built, Duplicates removed) {}

  private record Built(TaskOutput output, @Nullable Long dataSnapshot, long indexSnapshot) {}

  private static BuildReport report(Built built, Duplicates removed, long millis) {
    TaskOutput output = built.output();
    return new BuildReport(
        output.rows(),
        output.tombstones(),
        output.files().size(),
        output.bytes(),
        built.dataSnapshot(),
        built.indexSnapshot(),
        millis,
        removed);
  }

  private Attempt attempt() {
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    ReadableKey.check(names, key);
    IndexCoverage coverage = IndexTables.wanted(data, key);
    Snapshot snapshot = data.currentSnapshot();
    LiveFiles live = LiveFiles.at(data, snapshot);
    IndexReplacement replacement = IndexReplacement.begin(names, data, key);
    FileNumbers files = FileNumbers.of(live);
    TaskOutput output = write(data, snapshot, key, files, live.recordCount(), replacement);
    KeyProblems problems = output.problems();
    if (problems.any()) {
      replacement.discard(output.files());
      // of a history, rows that have ended have the key of another, too
      boolean mayRemove =
          problems.nullKeys() == 0
              && names.duplicates() instanceof DuplicateKeys.KeepNewest
              && VersionColumns.of(data.properties()).isEmpty();
      Optional<Removal> removal =
          mayRemove
              ? Removal.stage(spark, names, data, key, live, problems.clashFiles())
              : Optional.empty();
      if (removal.isEmpty()) {
        throw problems.refusal(names, files, "rowmark index build");
      }
      return new Attempt(null, removal.get().commit(names));
    }
    long indexSnapshot = replacement.commit(output.files(), coverage);
    return new Attempt(
        new Built(output, coverage.dataSnapshotId(), indexSnapshot), Duplicates.NONE);
  }

  private TaskOutput write(
      Table data,
      @Nullable Snapshot snapshot,
      KeySpec key,
      FileNumbers files,
      long records,
      IndexReplacement replacement) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<FileNumbers> sharedFiles = context.broadcast(files);
    KeyedRows keyed = new KeyedRows(spark, names, key, sharedFiles);
    List<Dataset<Row>> inputs = new ArrayList<>();
    long rows = records;
    if (snapshot != null && files.size() > 0) {
      inputs.add(keyed.rows(data, snapshot, DataTypes.BinaryType));
    }
    Optional<Snapshot> remembered = replacement.remembered();
    if (remembered.isPresent()) {
      inputs.add(keyed.orders(replacement.table(), remembered.get()));
      rows += TaskCount.recordsIn(remembered.get());
    }
    if (inputs.isEmpty()) {
      return TaskOutput.NOTHING;
    }
    Broadcast<Table> sharedIndex =
        context.broadcast(SerializableTableWithSize.copyOf(replacement.table()));
    Dataset<Row> sorted =
        inputs.stream()
            .reduce(Dataset::unionAll)
            .orElseThrow()
            .repartitionByRange(TaskCount.forRows(spark, rows), keyed.keyColumns())
            .sortWithinPartitions(keyed.keyColumns());
    BuildTask task = new BuildTask(sharedIndex, sharedFiles, key, UUID.randomUUID().toString());
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: build index of " + names.data())) {
      List<byte[]> outputs =
          sorted.queryExecution().toRdd().toJavaRDD().mapPartitions(task).collect();
      return TaskOutput.sum(
          outputs.stream()
              .map(bytes -> (TaskOutput) SerializationUtil.deserializeFromBytes(bytes))
              .toList());
    } finally {
      sharedIndex.unpersist();
      sharedFiles.unpersist();
    }
  }
}
