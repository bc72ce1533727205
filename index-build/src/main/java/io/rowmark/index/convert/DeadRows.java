package io.rowmark.index.convert;

import io.rowmark.formats.position.LiveFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
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
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.PartitionUtil;

/**
 * Finds the rows of a data file that equality deletes hide, with Iceberg's own delete filter. Reads
 * the equality columns only.
 */
public final class DeadRows {
  private final Table table;
  private final FileIO io;
  private final Schema schema;

  /**
   * @param schema of {@link #everyColumn}; a table that was shipped to a task knows its current
   *     columns only
   */
  public DeadRows(Table table, Schema schema) {
    this.table = table;
    this.io = EncryptingFileIO.combine(table.io(), table.encryption());
    this.schema = schema;
  }

  /**
   * Positions that equality deletes hide and position deletes or a vector do not, ascending.
   *
   * @throws IOException when the data file cannot be read
   */
  public long[] byValue(LiveFile live) throws IOException {
    if (!live.hasEqualityDeletes()) {
      return new long[0];
    }
    FileScanTask task = task(live);
    GenericDeleteFilter filter =
        new GenericDeleteFilter(io, task, schema, new Schema(MetadataColumns.ROW_POSITION));
    Schema projection = filter.requiredSchema();
    int positionAt = positionIn(projection);
    Predicate<Record> isAlive = filter.eqDeletedRowFilter();
    PositionDeleteIndex hidden =
        live.positionalDeletes().isEmpty()
            ? PositionDeleteIndex.empty()
            : Objects.requireNonNull(filter.deletedRowPositions());
    LongStream.Builder dead = LongStream.builder();
    try (CloseableIterable<Record> records = read(task, projection)) {
      for (Record record : records) {
        long position = record.get(positionAt, Long.class);
        if (!hidden.isDeleted(position) && !isAlive.test(record)) {
          dead.add(position);
        }
      }
    }
    return dead.build().toArray();
  }

  private FileScanTask task(LiveFile live) {
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(live.file().specId()));
    return new BaseFileScanTask(
        live.file(),
        live.deletes().toArray(DeleteFile[]::new),
        SchemaParser.toJson(schema),
        PartitionSpecParser.toJson(spec),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  private CloseableIterable<Record> read(FileScanTask task, Schema projection) {
    ReadBuilder<Record, Object> builder =
        FormatModelRegistry.<Record, Object>readBuilder(
                task.file().format(), Record.class, io.newInputFile(task.file()))
            .project(projection)
            .idToConstant(
                PartitionUtil.constantsMap(task, IdentityPartitionConverters::convertConstant));
    String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    if (mapping != null) {
      builder.withNameMapping(NameMappingParser.fromJson(mapping));
    }
    return builder.build();
  }

  private static int positionIn(Schema projection) {
    List<NestedField> columns = projection.columns();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).fieldId() == MetadataColumns.ROW_POSITION.fieldId()) {
        return i;
      }
    }
    throw new IllegalStateException("The delete filter does not ask for positions");
  }

  /**
   * The current columns and those that were dropped: an equality delete outlives the columns it
   * speaks of. Dropped ones get names of their own, since a name may have been given again.
   */
  public static Schema everyColumn(Table table) {
    List<NestedField> columns = new ArrayList<>(table.schema().columns());
    Set<Integer> known = new HashSet<>();
    columns.forEach(column -> known.add(column.fieldId()));
    Map<Integer, NestedField> dropped = new HashMap<>();
    table.schemas().keySet().stream()
        .sorted()
        .forEach(
            id ->
                Objects.requireNonNull(table.schemas().get(id)).columns().stream()
                    .filter(column -> !known.contains(column.fieldId()))
                    .forEach(column -> dropped.put(column.fieldId(), column)));
    for (NestedField column : dropped.values()) {
      columns.add(
          NestedField.optional(
              column.fieldId(), "dropped " + column.fieldId(), column.type(), column.doc()));
    }
    return new Schema(columns);
  }
}
