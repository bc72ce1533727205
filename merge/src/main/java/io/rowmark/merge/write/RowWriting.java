package io.rowmark.merge.write;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.write.IndexRunWriter;
import io.rowmark.index.write.PartitionWriters;
import io.rowmark.index.write.SparkRowWriters;
import io.rowmark.index.write.TaskNumber;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.DataWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows and, in the same attempt, the index entries that say where they landed: files and
 * positions cannot come from different attempts. Where rows are deleted by key, it writes those
 * deletes instead of index entries. Rows come in key order.
 */
final class RowWriting {
  /** Columns of the input. */
  static final int OP = 0;

  static final int ORDER = 1;
  static final int OLD_FILE = 2;
  static final int OLD_POSITION = 3;
  static final int OLD_ROW_ID = 4;
  static final int ROW = 5;

  private final WritePlan plan;
  private final TaskNumber task;

  /**
   * @param task differs from that of any other part of the same operation
   */
  RowWriting(WritePlan plan, TaskNumber task) {
    this.plan = plan;
    this.task = task;
  }

  /** Writes all rows; what is named in the result is closed and complete. */
  RowsWritten write(Iterator<InternalRow> rows) throws IOException {
    PartitionWriters<RollingDataWriter<InternalRow>, DataWriteResult> data = dataWriters();
    IndexRunWriter index = indexWriter();
    KeyDeletes deletes = keyDeletes();
    try (data;
        index;
        deletes) {
      Writing writing = new Writing(plan, data, index, deletes);
      while (rows.hasNext()) {
        writing.add(rows.next());
      }
    }
    return new RowsWritten(
        data.results().stream().flatMap(result -> result.dataFiles().stream()).toList(),
        index == null ? List.of() : index.files(),
        deletes == null ? List.of() : deletes.files());
  }

  private PartitionWriters<RollingDataWriter<InternalRow>, DataWriteResult> dataWriters() {
    Table table = plan.data();
    Schema schema =
        plan.lineage() == WritePlan.Lineage.KEPT
            ? MetadataColumns.schemaWithRowLineage(table.schema())
            : table.schema();
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, task.partition(), task.attempt())
            .operationId(plan.operationId())
            .format(FileFormat.PARQUET)
            .build();
    SparkRowWriters writers = new SparkRowWriters(table, schema, null, outputs);
    return new PartitionWriters<>(
        partition -> writers.rolling(table.spec(), partition), table.spec(), table.schema());
  }

  private @Nullable IndexRunWriter indexWriter() {
    Table index = plan.index();
    KeySpec key = plan.key();
    return index == null || key == null
        ? null
        : new IndexRunWriter(index, key, task, plan.operationId());
  }

  private @Nullable KeyDeletes keyDeletes() {
    KeySpec key = plan.key();
    PartitionSpec spec = plan.keyDeletes();
    return key == null || spec == null
        ? null
        : new KeyDeletes(plan.data(), key, spec, plan.operationId(), task);
  }

  /** The state of one attempt. */
  private static final class Writing {
    private final WritePlan plan;
    private final PartitionWriters<RollingDataWriter<InternalRow>, DataWriteResult> data;
    private final @Nullable IndexRunWriter index;
    private final @Nullable KeyDeletes deletes;
    private final int[] keyOrdinals;
    private final int width;
    private final @Nullable Object[] lineage = new Object[2];
    private final JoinedRow withLineage = new JoinedRow();
    private String path = "";
    private UTF8String pathText = UTF8String.EMPTY_UTF8;

    Writing(
        WritePlan plan,
        PartitionWriters<RollingDataWriter<InternalRow>, DataWriteResult> data,
        @Nullable IndexRunWriter index,
        @Nullable KeyDeletes deletes) {
      this.plan = plan;
      this.data = data;
      this.index = index;
      this.deletes = deletes;
      Schema schema = plan.data().schema();
      this.width = schema.columns().size();
      List<String> names = schema.columns().stream().map(column -> column.name()).toList();
      KeySpec key = plan.key();
      this.keyOrdinals =
          key == null ? new int[0] : key.names().stream().mapToInt(names::indexOf).toArray();
    }

    void add(InternalRow change) throws IOException {
      InternalRow row = change.getStruct(ROW, width);
      byte[] order = change.isNullAt(ORDER) ? null : change.getBinary(ORDER);
      if (deletes != null) {
        deletes.add(row);
      }
      if (change.getByte(OP) == EventRows.REMOVE) {
        if (index != null && order != null && plan.removals() == WritePlan.Removals.TOMBSTONE) {
          index.add(row, keyOrdinals, null, null, null, order);
        }
        return;
      }
      Long rowId = rowId(change);
      RollingDataWriter<InternalRow> writer = data.of(row);
      UTF8String file = text(writer.currentFilePath());
      long position = writer.currentFileRows();
      writer.write(written(row, rowId));
      if (index != null && change.getByte(OP) != NetChanges.PAST) {
        boolean remembers = plan.removals() == WritePlan.Removals.TOMBSTONE;
        index.add(row, keyOrdinals, file, position, rowId, remembers ? order : null);
      }
    }

    private InternalRow written(InternalRow row, @Nullable Long rowId) {
      if (plan.lineage() == WritePlan.Lineage.FRESH) {
        return row;
      }
      // a changed row keeps its id; its last-updated sequence number is that of this commit: null
      lineage[0] = rowId;
      lineage[1] = null;
      return withLineage.apply(row, new GenericInternalRow(lineage));
    }

    private @Nullable Long rowId(InternalRow change) {
      if (plan.lineage() == WritePlan.Lineage.FRESH || change.isNullAt(OLD_FILE)) {
        return null;
      }
      if (!change.isNullAt(OLD_ROW_ID)) {
        return change.getLong(OLD_ROW_ID);
      }
      Long first = plan.firstRowIds().get(change.getUTF8String(OLD_FILE).toString());
      return first == null ? null : first + change.getLong(OLD_POSITION);
    }

    private UTF8String text(CharSequence current) {
      String now = current.toString();
      if (!now.equals(path)) {
        path = now;
        pathText = UTF8String.fromString(now);
      }
      return pathText;
    }
  }
}
