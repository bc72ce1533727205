package io.rowmark.merge.write;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.DeleteWriteTask;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.resolve.ResolvedChanges;
import io.rowmark.merge.resolve.ResolvedChanges.Arrangement;
import io.rowmark.merge.resolve.ResolvedRows;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.KeptRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.reflect.ClassTag$;

/**
 * Writes changes that are spread over Spark. Each stage's results are collected exactly once: run
 * again, it would write other files.
 */
final class SpreadWriter {
  private static final long ROWS_PER_TASK = 1_000_000;
  private static final long DELETE_FILES_PER_TASK = 8;

  private final SparkSession spark;
  private final ResolvedTable resolved;
  private final ResolvedChanges.Spread changes;

  SpreadWriter(SparkSession spark, ResolvedTable resolved, ResolvedChanges.Spread changes) {
    this.spark = spark;
    this.resolved = resolved;
    this.changes = changes;
  }

  List<RowsWritten> rows(WritePlan plan) {
    Broadcast<WritePlan> shipped = broadcast(plan, WritePlan.class);
    List<byte[]> results =
        arranged()
            .queryExecution()
            .toRdd()
            .toJavaRDD()
            .mapPartitions(new RowWriteTask(shipped))
            .collect();
    shipped.unpersist();
    return deserialized(results);
  }

  private static <T> List<T> deserialized(List<byte[]> results) {
    List<T> values = new ArrayList<>();
    results.forEach(
        result -> {
          T one = SerializationUtil.deserializeFromBytes(result);
          values.add(one);
        });
    return values;
  }

  /** Rows in key order, in as many partitions as the batch is large. */
  private Dataset<Row> arranged() {
    // of a history, the version that ends is the row that was there, and the new one is a new row
    Column old =
        col(
            resolved.table().spec().kept() instanceof KeptRows.Versions
                ? ResolvedRows.FILL
                : ResolvedRows.FOUND);
    List<Column> key = new ArrayList<>();
    if (resolved.table().isKeyed()) {
      resolved
          .table()
          .requireKey()
          .names()
          .forEach(name -> key.add(col(EventRows.ROW).getField(name)));
    } else {
      key.add(col(EventRows.FILE));
      key.add(col(EventRows.PLACE));
    }
    Column[] order = key.toArray(Column[]::new);
    int tasks = (int) (1 + resolved.counts().applied() / ROWS_PER_TASK);
    Dataset<Row> spread =
        tasks == 1
            ? changes.rows().coalesce(1)
            : changes.arrangement() == Arrangement.KEY_RANGES
                ? changes.rows()
                : changes.rows().repartitionByRange(tasks, order);
    return spread
        .sortWithinPartitions(order)
        .select(
            col(EventRows.OP),
            col(EventRows.ORDER),
            old.getField(ResolvedRows.DATA_FILE),
            old.getField(ResolvedRows.POSITION),
            old.getField(ResolvedRows.ROW_ID),
            col(EventRows.ROW));
  }

  /**
   * Deletes of rows, or of index entries.
   *
   * @param plan with the files that the changes touch
   * @param live all files of the table whose rows are deleted
   * @param file column of {@link ResolvedRows#PLACE} that names the file
   * @param position column of {@link ResolvedRows#PLACE} that says where in the file
   */
  List<FileDeletes> deletes(DeletePlan plan, LiveFiles live, String file, String position) {
    Map<String, LiveFile> files = touched(plan.files(), live, file);
    if (files.isEmpty()) {
      return List.of();
    }
    int tasks = (int) (1 + files.size() / DELETE_FILES_PER_TASK);
    Broadcast<DeletePlan> shipped =
        broadcast(
            new DeletePlan(plan.table(), plan.format(), files, plan.operationId()),
            DeletePlan.class);
    List<byte[]> results =
        places(file, position)
            .repartition(tasks, col("file"))
            .sortWithinPartitions("file", "position")
            .mapPartitions(new DeleteWriteTask(shipped), Encoders.BINARY())
            .collectAsList();
    shipped.unpersist();
    return deserialized(results);
  }

  private Dataset<Row> places(String file, String position) {
    Column found = col(ResolvedRows.FOUND);
    Dataset<Row> places =
        changes
            .rows()
            .select(found.getField(file).as("file"), found.getField(position).as("position"));
    if (resolved.truncation() instanceof Truncation.Older older) {
      places = places.union(older.older().select(col(file), col(position)));
    }
    return places.filter(col("file").isNotNull());
  }

  /** A truncate that spares younger rows touches files that the changes do not. */
  private Map<String, LiveFile> touched(
      Map<String, LiveFile> byChanges, LiveFiles live, String file) {
    if (!(resolved.truncation() instanceof Truncation.Older older)) {
      return byChanges;
    }
    Map<String, LiveFile> files = new HashMap<>(byChanges);
    older
        .older()
        .filter(col(file).isNotNull())
        .select(file)
        .distinct()
        .as(Encoders.STRING())
        .collectAsList()
        .forEach(path -> files.computeIfAbsent(path, live::require));
    return files;
  }

  private <T> Broadcast<T> broadcast(T value, Class<T> type) {
    return spark.sparkContext().broadcast(value, ClassTag$.MODULE$.apply(type));
  }
}
