package io.rowmark.index.rewrite;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.rewrite.RewriteTask.Output;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.scan.WholeRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes the live rows of file groups to new files, sorted, under the table's current partition
 * spec and settings. Groups that become one file are written side by side in one job; a group that
 * becomes several is sorted over the cluster in a job of its own.
 */
public final class GroupWriter {
  private final SparkSession spark;
  private final Table table;
  private final RowOrder order;

  /**
   * @param names key columns say the order of rows where the table has none; empty for none
   * @param table as the groups were planned from
   */
  public GroupWriter(SparkSession spark, IndexedTable names, Table table) {
    this.spark = spark;
    this.table = table;
    this.order = RowOrder.of(names, table);
  }

  /**
   * Writes and commits nothing.
   *
   * @throws RowmarkException INTERNAL when other rows were read than manifests say; what was
   *     written is removed
   */
  public List<RewrittenGroup> write(List<FileGroup> groups) {
    Map<Integer, List<DataFile>> files = new HashMap<>();
    Map<Integer, Long> rows = new HashMap<>();
    try (JobDescription ignored =
        JobDescription.set(
            spark, "Rowmark: rewrite %d groups of %s".formatted(groups.size(), table.name()))) {
      List<FileGroup> small = groups.stream().filter(group -> group.outputs() == 1).toList();
      Stream<List<FileGroup>> jobs =
          Stream.concat(
              small.isEmpty() ? Stream.of() : Stream.of(small),
              groups.stream().filter(group -> group.outputs() > 1).map(List::of));
      for (List<FileGroup> job : jobs.toList()) {
        for (Output output : run(job)) {
          files.computeIfAbsent(output.group(), none -> new ArrayList<>()).addAll(output.files());
          rows.merge(output.group(), output.rows(), Long::sum);
        }
      }
    }
    List<RewrittenGroup> written = new ArrayList<>();
    for (FileGroup group : groups) {
      written.add(
          new RewrittenGroup(
              group,
              files.getOrDefault(group.number(), List.of()),
              rows.getOrDefault(group.number(), 0L)));
    }
    check(written);
    return written;
  }

  private List<Output> run(List<FileGroup> groups) {
    Map<Integer, List<LiveFile>> files = new LinkedHashMap<>();
    groups.forEach(group -> files.put(group.number(), group.files()));
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<RewriteTask.Plan> shipped =
        context.broadcast(
            new RewriteTask.Plan(
                SerializableTableWithSize.copyOf(table),
                order.recorded(),
                groups.get(0).largest(),
                UUID.randomUUID().toString()));
    List<Column> sorting = new ArrayList<>(List.of(col(WholeRows.GROUP_NAME)));
    sorting.addAll(order.columns());
    try {
      return spread(WholeRows.of(spark, table, files), groups)
          .sortWithinPartitions(sorting.toArray(Column[]::new))
          .queryExecution()
          .toRdd()
          .toJavaRDD()
          .mapPartitions(new RewriteTask(shipped))
          .collect()
          .stream()
          .map(bytes -> (Output) SerializationUtil.deserializeFromBytes(bytes))
          .toList();
    } finally {
      shipped.unpersist();
    }
  }

  /** Rows of a group that becomes one file come to one task. */
  private Dataset<Row> spread(Dataset<Row> rows, List<FileGroup> groups) {
    int outputs = groups.get(0).outputs();
    if (outputs > 1) {
      return rows.repartitionByRange(outputs, order.array());
    }
    return groups.size() == 1
        ? rows.coalesce(1)
        : rows.repartition(groups.size(), col(WholeRows.GROUP_NAME));
  }

  /** A reader that overlooks a delete, or a row, must not have its way. */
  private void check(List<RewrittenGroup> written) {
    for (RewrittenGroup one : written) {
      long known = one.group().knownRows();
      if (known >= 0 && known != one.rows()) {
        discard(table, written);
        throw RowmarkException.internal(
            "%d live rows were read of data files of table %s that have %d by their manifests; nothing was committed"
                .formatted(one.rows(), table.name(), known),
            null);
      }
    }
  }

  /** Removes files that no commit names. */
  public static void discard(Table table, List<RewrittenGroup> written) {
    written.forEach(group -> group.files().forEach(file -> table.io().deleteFile(file.location())));
  }
}
