package io.rowmark.index.purge;

import io.rowmark.formats.position.LiveFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericDeleteFilter;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Reads files of a table record by record, in the order in which they lie there, dead rows too, in
 * every format that Iceberg's generic readers know.
 */
final class FileRecords {
  private final Table table;
  private final EncryptingFileIO io;
  private final Schema everyColumn;

  /**
   * @param everyColumn those that equality deletes may still name; see {@link
   *     io.rowmark.index.convert.DeadRows#everyColumn}
   */
  FileRecords(Table table, Schema everyColumn) {
    this.table = table;
    this.io = EncryptingFileIO.combine(table.io(), table.encryption());
    this.everyColumn = everyColumn;
  }

  /** The open rows of a data file. */
  static final class Rows implements Closeable {
    private final Schema schema;
    private final CloseableIterable<Record> records;
    private final PositionDeleteIndex hidden;
    private final Predicate<Record> isAlive;
    private final int positionAt;

    private Rows(
        Schema schema,
        CloseableIterable<Record> records,
        PositionDeleteIndex hidden,
        Predicate<Record> isAlive) {
      this.schema = schema;
      this.records = records;
      this.hidden = hidden;
      this.isAlive = isAlive;
      this.positionAt = positionIn(schema);
    }

    /** Columns of the records: those asked for, then the position, then what deletes compare. */
    Schema schema() {
      return schema;
    }

    CloseableIterable<Record> records() {
      return records;
    }

    long position(Record record) {
      return record.get(positionAt, Long.class);
    }

    boolean isLive(Record record) {
      return !hidden.isDeleted(position(record)) && isAlive.test(record);
    }

    @Override
    public void close() throws IOException {
      records.close();
    }
  }

  /**
   * Opens a data file.
   *
   * @param live with the deletes that tell which rows are dead; may have none
   * @param columns to read
   * @param groups row groups that cannot hold such a row may be left out
   */
  Rows rows(LiveFile live, List<NestedField> columns, Expression groups) {
    FileScanTask task = task(live);
    List<NestedField> wanted = new java.util.ArrayList<>(columns);
    wanted.add(MetadataColumns.ROW_POSITION);
    GenericDeleteFilter filter = new GenericDeleteFilter(io, task, everyColumn, new Schema(wanted));
    Schema projection = filter.requiredSchema();
    PositionDeleteIndex hidden =
        live.positionalDeletes().isEmpty()
            ? PositionDeleteIndex.empty()
            : Objects.requireNonNull(filter.deletedRowPositions());
    return new Rows(
        projection,
        read(
            reader(task.file().format(), io.newInputFile(task.file()))
                .project(projection)
                .filter(groups)
                .idToConstant(
                    PartitionUtil.constantsMap(
                        task, IdentityPartitionConverters::convertConstant))),
        hidden,
        filter.eqDeletedRowFilter());
  }

  /** The records of an equality delete file. */
  CloseableIterable<Record> values(DeleteFile delete, Schema columns) {
    return read(
        reader(delete.format(), io.newInputFile(delete)).project(columns).idToConstant(Map.of()));
  }

  private static ReadBuilder<Record, Object> reader(
      org.apache.iceberg.FileFormat format, InputFile input) {
    return FormatModelRegistry.<Record, Object>readBuilder(format, Record.class, input);
  }

  private CloseableIterable<Record> read(ReadBuilder<Record, Object> builder) {
    String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    if (mapping != null) {
      builder.withNameMapping(NameMappingParser.fromJson(mapping));
    }
    return builder.build();
  }

  private FileScanTask task(LiveFile live) {
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(live.file().specId()));
    return new BaseFileScanTask(
        live.file(),
        live.deletes().toArray(DeleteFile[]::new),
        SchemaParser.toJson(everyColumn),
        PartitionSpecParser.toJson(spec),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  private static int positionIn(Schema projection) {
    List<NestedField> columns = projection.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).fieldId() == MetadataColumns.ROW_POSITION.fieldId()) {
        return i;
      }
    }
    throw new IllegalStateException("The position was asked for");
  }
}
