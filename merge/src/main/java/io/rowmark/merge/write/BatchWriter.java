package io.rowmark.merge.write;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.index.write.DeleteWriteTask;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.plan.DeleteMode;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedRows;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.resolve.ResolvedTable.Arrangement;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.IndexSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag$;

/**
 * Writes a resolved table's files. Each stage's results are collected exactly once: run again, it
 * would write other files.
 */
public final class BatchWriter {
  private static final long ROWS_PER_TASK = 1_000_000;
  private static final long DELETE_FILES_PER_TASK = 8;

  private final SparkSession spark;
  private final IndexSpec index;

  public BatchWriter(SparkSession spark, IndexSpec index) {
    this.spark = spark;
    this.index = index;
  }

  /** Data files, and with them the index run or the deletes by key. */
  public WrittenTable writeRows(ResolvedTable resolved, String operationId) {
    List<DataFile> data = new ArrayList<>();
    List<DataFile> run = new ArrayList<>();
    List<DeleteFile> keyDeletes = new ArrayList<>();
    if (resolved.counts().applied() > 0) {
      Broadcast<WritePlan> plan = broadcast(writePlan(resolved, operationId), WritePlan.class);
      List<byte[]> results =
          arranged(resolved)
              .queryExecution()
              .toRdd()
              .toJavaRDD()
              .mapPartitions(new RowWriteTask(plan))
              .collect();
      for (byte[] result : results) {
        RowsWritten written = SerializationUtil.deserializeFromBytes(result);
        data.addAll(written.dataFiles());
        run.addAll(written.indexFiles());
        keyDeletes.addAll(written.keyDeletes());
      }
      plan.unpersist();
    }
    return new WrittenTable(resolved, data, run, List.of(), List.of(), keyDeletes);
  }

  /** Deletes by position of old rows and of old index entries, added to what was written. */
  public WrittenTable writeDeletes(WrittenTable written, String operationId) {
    ResolvedTable resolved = written.resolved();
    OpenTable table = resolved.table();
    OpenIndex open = table.index();
    if (resolved.truncation() instanceof Truncation.Everything || open == null) {
      return written;
    }
    List<FileDeletes> data =
        deletes(
            table.table(),
            touched(resolved, table.live(), resolved.touchedData(), ResolvedRows.DATA_FILE),
            places(resolved, ResolvedRows.DATA_FILE, ResolvedRows.POSITION),
            operationId);
    List<FileDeletes> entries =
        deletes(
            open.table(),
            touched(resolved, open.live(), resolved.touchedIndex(), ResolvedRows.INDEX_FILE),
            places(resolved, ResolvedRows.INDEX_FILE, ResolvedRows.INDEX_POSITION),
            operationId);
    return new WrittenTable(
        resolved, written.dataFiles(), written.indexFiles(), data, entries, written.keyDeletes());
  }

  private WritePlan writePlan(ResolvedTable resolved, String operationId) {
    OpenTable table = resolved.table();
    Map<String, Long> firstRowIds = new HashMap<>();
    resolved
        .touchedData()
        .forEach(
            (path, live) -> {
              Long first = live.file().firstRowId();
              if (first != null) {
                firstRowIds.put(path, first);
              }
            });
    boolean keeps = table.formatVersion() >= 3 && resolved.counts().updates() > 0;
    OpenIndex open = table.index();
    return new WritePlan(
        shippable(table.table()),
        open == null ? null : shippable(open.table()),
        table.key(),
        keyDeletes(resolved),
        firstRowIds,
        keeps ? WritePlan.Lineage.KEPT : WritePlan.Lineage.FRESH,
        index.order() == IndexSpec.Order.KEPT
            ? WritePlan.Removals.TOMBSTONE
            : WritePlan.Removals.NOTHING,
        operationId);
  }

  /** Where no file was live before, or none stays, there is no old row to hide. */
  private static @Nullable PartitionSpec keyDeletes(ResolvedTable resolved) {
    boolean nothingOld =
        resolved.table().live().isEmpty() || resolved.truncation() instanceof Truncation.Everything;
    return !nothingOld && resolved.table().deletes() instanceof DeleteMode.ByKey byKey
        ? byKey.spec()
        : null;
  }

  /** Rows in key order, in as many partitions as the batch is large. */
  private static Dataset<Row> arranged(ResolvedTable resolved) {
    Column old = col(ResolvedRows.FOUND);
    Dataset<Row> rows = resolved.changes();
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
            ? rows.coalesce(1)
            : resolved.arrangement() == Arrangement.KEY_RANGES
                ? rows
                : rows.repartitionByRange(tasks, order);
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

  private static Dataset<Row> places(ResolvedTable resolved, String file, String position) {
    Column found = col(ResolvedRows.FOUND);
    Dataset<Row> places =
        resolved
            .changes()
            .select(found.getField(file).as("file"), found.getField(position).as("position"));
    if (resolved.truncation() instanceof Truncation.Older older) {
      places = places.union(older.older().select(col(file), col(position)));
    }
    return places.filter(col("file").isNotNull());
  }

  /** A truncate that spares younger rows touches files that the changes do not. */
  private static Map<String, LiveFile> touched(
      ResolvedTable resolved, LiveFiles live, Map<String, LiveFile> byChanges, String file) {
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

  private List<FileDeletes> deletes(
      Table table, Map<String, LiveFile> files, Dataset<Row> places, String operationId) {
    if (files.isEmpty()) {
      return List.of();
    }
    int tasks = (int) (1 + files.size() / DELETE_FILES_PER_TASK);
    Broadcast<DeletePlan> plan =
        broadcast(
            new DeletePlan(
                shippable(table),
                DeleteFormat.positional(TableUtil.formatVersion(table)),
                files,
                operationId),
            DeletePlan.class);
    List<byte[]> results =
        places
            .repartition(tasks, col("file"))
            .sortWithinPartitions("file", "position")
            .mapPartitions(new DeleteWriteTask(plan), Encoders.BINARY())
            .collectAsList();
    plan.unpersist();
    List<FileDeletes> deletes = new ArrayList<>();
    results.forEach(
        result -> {
          FileDeletes one = SerializationUtil.deserializeFromBytes(result);
          deletes.add(one);
        });
    return deletes;
  }

  private static Table shippable(Table table) {
    return SerializableTableWithSize.copyOf(table);
  }

  private <T> Broadcast<T> broadcast(T value, Class<T> type) {
    return spark.sparkContext().broadcast(value, ClassTag$.MODULE$.apply(type));
  }
}
