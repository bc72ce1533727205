package io.rowmark.index.rewrite;

import io.rowmark.index.scan.WholeRows;
import io.rowmark.index.write.PartitionWriters;
import io.rowmark.index.write.SparkRowWriters;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.DataWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of {@link WholeRows}, sorted by group, to new files of the table; gives one {@link
 * Output} as bytes for each group.
 */
final class RewriteTask implements FlatMapFunction<Iterator<InternalRow>, byte[]> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<Plan> shipped;

  RewriteTask(Broadcast<Plan> shipped) {
    this.shipped = shipped;
  }

  /**
   * What tasks need.
   *
   * @param recorded order that the rows come in; null for none that the table knows
   * @param largest size at which a file ends, in bytes
   */
  record Plan(Table table, @Nullable SortOrder recorded, long largest, String operationId)
      implements Serializable {}

  /** Files of one group. */
  record Output(int group, List<DataFile> files, long rows) implements Serializable {}

  @Override
  public Iterator<byte[]> call(Iterator<InternalRow> rows) throws IOException {
    Plan plan = shipped.value();
    OutputFileFactory outputs = outputs(plan);
    List<Output> done = new ArrayList<>();
    @Nullable GroupOutput open = null;
    try {
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        int group = row.getInt(WholeRows.GROUP);
        if (open != null && open.group != group) {
          done.add(open.end());
          open = null;
        }
        if (open == null) {
          open = new GroupOutput(plan, outputs, group);
        }
        open.add(row);
      }
      if (open != null) {
        done.add(open.end());
      }
    } catch (IOException | RuntimeException e) {
      abort(plan, done, open, e);
      throw e;
    }
    return done.stream().map(SerializationUtil::serializeToBytes).iterator();
  }

  private static OutputFileFactory outputs(Plan plan) {
    TaskNumber task = TaskNumber.current();
    return OutputFileFactory.builderFor(plan.table(), task.partition(), task.attempt())
        .operationId(plan.operationId())
        .format(FileFormat.PARQUET)
        .build();
  }

  /** Removes what this attempt wrote. */
  private static void abort(
      Plan plan, List<Output> done, @Nullable GroupOutput open, Exception cause) {
    try {
      List<DataFile> files = new ArrayList<>();
      done.forEach(output -> files.addAll(output.files()));
      if (open != null) {
        files.addAll(open.end().files());
      }
      files.forEach(file -> plan.table().io().deleteFile(file.location()));
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** The open files of a group. */
  private static final class GroupOutput {
    private final int group;
    private final int width;
    private final boolean hasLineage;
    private final @Nullable Object[] lineage = new Object[2];
    private final GenericInternalRow lineageRow = new GenericInternalRow(lineage);
    private final JoinedRow joined = new JoinedRow();
    private final PartitionWriters<RollingDataWriter<InternalRow>, DataWriteResult> writers;
    private long rows;

    GroupOutput(Plan plan, OutputFileFactory outputs, int group) {
      Table table = plan.table();
      this.group = group;
      this.width = table.schema().columns().size();
      this.hasLineage = TableUtil.formatVersion(table) >= 3;
      Schema schema =
          hasLineage ? MetadataColumns.schemaWithRowLineage(table.schema()) : table.schema();
      SparkRowWriters factory =
          new SparkRowWriters(table, schema, plan.recorded(), outputs, plan.largest());
      this.writers =
          new PartitionWriters<>(
              partition -> factory.rolling(table.spec(), partition), table.spec(), table.schema());
    }

    void add(InternalRow input) throws IOException {
      InternalRow row = input.getStruct(WholeRows.ROW, width);
      writers.of(row).write(hasLineage ? withLineage(input, row) : row);
      rows++;
    }

    /** A row that only moves keeps its id and the number of its last change. */
    private InternalRow withLineage(InternalRow input, InternalRow row) {
      lineage[0] = longOrNull(input, WholeRows.ROW_ID);
      lineage[1] = longOrNull(input, WholeRows.LAST_UPDATED);
      return joined.apply(row, lineageRow);
    }

    private static @Nullable Long longOrNull(InternalRow row, int at) {
      return row.isNullAt(at) ? null : row.getLong(at);
    }

    Output end() throws IOException {
      writers.close();
      return new Output(
          group,
          writers.results().stream().flatMap(result -> result.dataFiles().stream()).toList(),
          rows);
    }
  }
}
