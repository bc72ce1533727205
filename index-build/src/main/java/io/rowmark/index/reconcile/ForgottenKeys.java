package io.rowmark.index.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.DeleteWriteTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Lets an index forget keys that were deleted long ago: their entries remember only the order of
 * the deletion, against changes that come too late.
 */
public final class ForgottenKeys {
  private static final long DELETE_FILES_PER_TASK = 8;

  private ForgottenKeys() {}

  /** Entries of deleted keys whose last change is not later than an order. */
  public static Dataset<Row> find(
      SparkSession spark, IndexedTable names, Table index, byte[] upTo) {
    return spark
        .sql(
            "SELECT _file AS file, _pos AS position, %s FROM %s VERSION AS OF %d WHERE %s IS NULL"
                .formatted(
                    IndexLayout.CHANGE_ORDER,
                    names.sparkIndex(),
                    index.currentSnapshot().snapshotId(),
                    IndexLayout.DATA_FILE))
        .where(col(IndexLayout.CHANGE_ORDER).leq(lit(upTo)))
        .select("file", "position");
  }

  /**
   * Takes these entries out in one commit. What the index covers stays as it is.
   *
   * @param index with a snapshot and a claim
   * @return how many; no commit is made for none
   * @throws RowmarkException CONFLICT when the index changed meanwhile, and nothing was committed;
   *     UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public static long drop(
      SparkSession spark, IndexedTable names, Table index, Table data, byte[] upTo) {
    Optional<IndexCoverage> claim = IndexTables.state(index).coverage();
    if (claim.isEmpty()) {
      return 0;
    }
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: forget deleted keys of " + names.data())) {
      if (find(spark, names, index, upTo).isEmpty()) {
        return 0;
      }
      IndexDelta delta = IndexDelta.begin(names, index, data, names.keyOf(data));
      List<FileDeletes> deletes = write(spark, find(spark, names, index, upTo), delta);
      delta.commit(List.of(), deletes, claim.get().toSummary());
      return deletes.stream().mapToLong(FileDeletes::newlyDeleted).sum();
    }
  }

  private static List<FileDeletes> write(
      SparkSession spark, Dataset<Row> places, IndexDelta delta) {
    Map<String, LiveFile> files = new HashMap<>();
    delta.live().all().forEach(live -> files.put(live.path(), live));
    Broadcast<DeletePlan> plan =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .broadcast(
                new DeletePlan(
                    SerializableTableWithSize.copyOf(delta.table()),
                    DeleteFormat.positional(TableUtil.formatVersion(delta.table())),
                    files,
                    UUID.randomUUID().toString()));
    try {
      return places
          .repartition((int) (1 + files.size() / DELETE_FILES_PER_TASK), col("file"))
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
}
