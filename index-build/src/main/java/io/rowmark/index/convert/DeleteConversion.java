package io.rowmark.index.convert;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.scan.JobDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * Replaces the deletes of a table by deletes by position, the same rows hidden before and after.
 * Data files stay as they are, except those without a live row, which go.
 */
public final class DeleteConversion {
  private static final int FILES_PER_TASK = 4;

  private DeleteConversion() {}

  /**
   * A conversion that is written and not committed.
   *
   * @param added to be removed again if the commit is refused
   */
  public record Staged(ConversionReport report, List<DeleteFile> added) {
    public Staged {
      added = List.copyOf(added);
    }
  }

  /**
   * Writes the new deletes and puts them into a transaction, uncommitted, so that a format upgrade
   * and the new deletes become visible together.
   *
   * @param transaction begun at the snapshot that the plan looked at, with the format version that
   *     the wanted deletes need
   */
  public static Staged stage(SparkSession spark, Transaction transaction, ConversionPlan plan) {
    Snapshot base = plan.base();
    if (plan.isEmpty() || base == null) {
      return new Staged(new ConversionReport(0, 0, 0, 0, 0), List.of());
    }
    List<FileDeletes> written = write(spark, transaction.table(), plan);
    RowDelta delta = transaction.newRowDelta();
    put(delta, plan, written);
    delta.validateFromSnapshot(base.snapshotId());
    delta.validateNoConflictingDeleteFiles();
    delta.commit();
    return new Staged(report(plan, written), added(written));
  }

  /**
   * Puts written deletes into a change of the table, with the checks that what they were made for
   * is still there.
   */
  static void put(RowDelta delta, ConversionPlan plan, List<FileDeletes> written) {
    Map<String, LiveFile> files = new HashMap<>();
    plan.files().forEach(live -> files.put(live.path(), live));
    FileDeletes.put(delta, written, path -> Objects.requireNonNull(files.get(path)));
    plan.replaced().forEach(delta::removeDeletes);
  }

  static ConversionReport report(ConversionPlan plan, List<FileDeletes> written) {
    long emptied = written.stream().filter(one -> one.fate() == FileDeletes.Fate.EMPTIED).count();
    return new ConversionReport(
        written.size(),
        (int) emptied,
        written.stream().mapToLong(FileDeletes::newlyDeleted).sum(),
        plan.replaced().size(),
        added(written).size());
  }

  static List<DeleteFile> added(List<FileDeletes> written) {
    return written.stream().flatMap(deletes -> deletes.added().stream()).toList();
  }

  /** Writes the new deletes of a plan's data files, and commits nothing. */
  static List<FileDeletes> write(SparkSession spark, Table table, ConversionPlan plan) {
    if (plan.files().isEmpty()) {
      return List.of();
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<Table> shared = context.broadcast(SerializableTableWithSize.copyOf(table));
    int tasks = 1 + plan.files().size() / FILES_PER_TASK;
    ConversionTask task =
        new ConversionTask(
            shared,
            SchemaParser.toJson(DeadRows.everyColumn(table)),
            plan.to(),
            UUID.randomUUID().toString());
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: convert deletes of " + table.name())) {
      List<FileDeletes> written = new ArrayList<>();
      for (byte[] bytes : context.parallelize(plan.files(), tasks).mapPartitions(task).collect()) {
        FileDeletes deletes = SerializationUtil.deserializeFromBytes(bytes);
        written.add(deletes);
      }
      return written;
    } finally {
      shared.unpersist();
    }
  }
}
