package io.rowmark.merge.write;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.write.DeletePlan;
import io.rowmark.merge.parallel.DriverThreads;
import io.rowmark.merge.plan.DeleteMode;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedChanges;
import io.rowmark.merge.resolve.ResolvedRows;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.KeptRows;
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
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Writes a resolved table's files, where its changes are: on the driver or in Spark. */
public final class BatchWriter {
  private final SparkSession spark;
  private final IndexSpec index;
  private final DriverThreads threads;

  /**
   * @param threads for the work of small batches on the driver
   */
  public BatchWriter(SparkSession spark, IndexSpec index, DriverThreads threads) {
    this.spark = spark;
    this.index = index;
    this.threads = threads;
  }

  /** Data files, and with them the index run or the deletes by key. */
  public WrittenTable writeRows(ResolvedTable resolved, String operationId) {
    List<DataFile> data = new ArrayList<>();
    List<DataFile> run = new ArrayList<>();
    List<DeleteFile> keyDeletes = new ArrayList<>();
    if (resolved.counts().applied() > 0) {
      for (RowsWritten written : rows(resolved, writePlan(resolved, operationId))) {
        data.addAll(written.dataFiles());
        run.addAll(written.indexFiles());
        keyDeletes.addAll(written.keyDeletes());
      }
    }
    return new WrittenTable(resolved, data, run, List.of(), List.of(), keyDeletes);
  }

  private List<RowsWritten> rows(ResolvedTable resolved, WritePlan plan) {
    return resolved.changes() instanceof ResolvedChanges.AtHand few
        ? List.of(new AtHandWriter(few, threads).rows(plan))
        : spread(resolved).rows(plan);
  }

  private SpreadWriter spread(ResolvedTable resolved) {
    return new SpreadWriter(spark, resolved, (ResolvedChanges.Spread) resolved.changes());
  }

  /** Deletes by position of old rows and of old index entries, added to what was written. */
  public WrittenTable writeDeletes(WrittenTable written, String operationId) {
    ResolvedTable resolved = written.resolved();
    OpenTable table = resolved.table();
    OpenIndex open = table.index();
    if (resolved.truncation() instanceof Truncation.Everything || open == null) {
      return written;
    }
    DeletePlan ofRows = deletePlan(table.table(), resolved.touchedData(), operationId);
    DeletePlan ofEntries = deletePlan(open.table(), resolved.touchedIndex(), operationId);
    List<FileDeletes> rows;
    List<FileDeletes> entries;
    if (resolved.changes() instanceof ResolvedChanges.AtHand few) {
      AtHandWriter writer = new AtHandWriter(few, threads);
      rows = writer.deletes(ofRows, AtHandWriter.Place::ofRow);
      entries = writer.deletes(ofEntries, AtHandWriter.Place::ofEntry);
    } else {
      SpreadWriter writer = spread(resolved);
      rows = writer.deletes(ofRows, table.live(), ResolvedRows.DATA_FILE, ResolvedRows.POSITION);
      entries =
          writer.deletes(
              ofEntries, open.live(), ResolvedRows.INDEX_FILE, ResolvedRows.INDEX_POSITION);
    }
    return new WrittenTable(
        resolved, written.dataFiles(), written.indexFiles(), rows, entries, written.keyDeletes());
  }

  private static DeletePlan deletePlan(
      Table table, Map<String, LiveFile> touched, String operationId) {
    return new DeletePlan(
        shippable(table),
        DeleteFormat.positional(TableUtil.formatVersion(table)),
        touched,
        operationId);
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
    boolean rewrites =
        resolved.counts().updates() > 0
            || resolved.counts().versions() > 0
            || (resolved.counts().deletes() > 0 && table.spec().kept() != KeptRows.NONE);
    boolean keeps = table.formatVersion() >= 3 && rewrites;
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

  private static Table shippable(Table table) {
    return SerializableTableWithSize.copyOf(table);
  }
}
