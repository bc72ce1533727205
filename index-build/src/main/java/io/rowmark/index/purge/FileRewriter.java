package io.rowmark.index.purge;

import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.write.TaskNumber;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.io.RollingDataWriter;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Writes a file again without its dead rows and without those that a rule leaves out: in the same
 * format, order, spec and partition, with the table's columns and settings. Rows of a table with
 * row lineage keep their id and the number of their last change (Iceberg table spec, "Row
 * Lineage"). Iceberg's generic readers and writers know every type, Spark's do not.
 */
final class FileRewriter {
  private final Table table;
  private final FileRecords records;
  private final Schema written;
  private final TaskNumber task;
  private final String operationId;
  private final Map<FileFormat, OutputFileFactory> outputs = new EnumMap<>(FileFormat.class);

  FileRewriter(PurgePlan plan, TaskNumber task) {
    this.table = plan.table();
    this.records = plan.records();
    this.task = task;
    this.operationId = plan.operationId();
    boolean lineage =
        TableUtil.formatVersion(table) >= 3 && !table.properties().containsKey(IndexLayout.MARK);
    this.written = lineage ? MetadataColumns.schemaWithRowLineage(table.schema()) : table.schema();
  }

  /** Columns that rules see and that are written. */
  Schema schema() {
    return written;
  }

  /**
   * What was written in the place of a file.
   *
   * @param files none if no row stays
   * @param kept which rows were written
   */
  record Rewritten(List<DataFile> files, KeptRuns kept) {}

  /** Writes a file again; what was written is removed if that fails. */
  Rewritten rewrite(RewriteItem item, RowRule rule) throws IOException {
    RollingDataWriter<Record> writer = writer(item);
    try {
      KeptRuns.Builder kept = new KeptRuns.Builder();
      try (FileRecords.Rows rows =
          records.rows(item.live(), written.columns(), Expressions.alwaysTrue())) {
        for (Record row : rows.records()) {
          if (rows.isLive(row) && rule.keep(row)) {
            writer.write(row);
            kept.add(rows.position(row));
          }
        }
      }
      writer.close();
      KeptRuns runs = kept.build();
      return new Rewritten(runs.size() == 0 ? none(writer) : writer.result().dataFiles(), runs);
    } catch (IOException | RuntimeException e) {
      abort(writer, e);
      throw e;
    }
  }

  /** A writer that was given nothing may have begun a file. */
  private List<DataFile> none(RollingDataWriter<Record> writer) {
    writer.result().dataFiles().forEach(file -> table.io().deleteFile(file.location()));
    return List.of();
  }

  private void abort(RollingDataWriter<Record> writer, Exception cause) {
    try {
      writer.close();
      none(writer);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private RollingDataWriter<Record> writer(RewriteItem item) {
    LiveFile live = item.live();
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(live.file().specId()));
    GenericFileWriterFactory.Builder files =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(live.file().format())
            .dataSchema(written);
    if (item.order() != null) {
      files.dataSortOrder(item.order());
    }
    return new RollingDataWriter<>(
        files.build(),
        outputs.computeIfAbsent(live.file().format(), this::outputs),
        table.io(),
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT),
        spec,
        live.file().partition());
  }

  private OutputFileFactory outputs(FileFormat format) {
    return OutputFileFactory.builderFor(table, task.partition(), task.attempt())
        .operationId(operationId)
        .format(format)
        .build();
  }
}
