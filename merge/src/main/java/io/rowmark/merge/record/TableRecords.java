package io.rowmark.merge.record;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.merge.record.RowsPart.RowChange;
import io.rowmark.merge.record.SourceRecord.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.IdentityPartitionConverters;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.util.PartitionUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of a source table as records. Rows that a snapshot changed get the metadata columns of
 * Iceberg's changelog beside their own: {@code _change_type}, {@code _change_ordinal} and {@code
 * _commit_snapshot_id}.
 */
final class TableRecords implements RecordReader {
  static final String CHANGE_TYPE = "_change_type";
  static final String CHANGE_ORDINAL = "_change_ordinal";
  static final String COMMIT_SNAPSHOT = "_commit_snapshot_id";

  private final Slice slice;
  private final RowsPart part;
  private final FileValue value;
  private final StructOf types;
  private final int positionAt;
  private final BitSet left;
  private final CloseableIterator<Record> rows;
  private @Nullable Record current;

  TableRecords(Slice slice, RowsPart part) {
    this.slice = slice;
    this.part = part;
    Schema schema = part.table().schema();
    this.value = TableValues.of("", schema.asStruct());
    this.types = types(value.struct(), part.change());
    this.positionAt = schema.columns().size();
    LiveFile except = part.except();
    this.left = except == null ? new BitSet() : positions(part.table(), except);
    this.rows = open(part.table(), part.rows(), schema).iterator();
  }

  private static StructOf types(StructOf row, @Nullable RowChange change) {
    if (change == null) {
      return row;
    }
    List<SourceField> fields = new ArrayList<>(row.fields());
    fields.add(new SourceField(CHANGE_TYPE, Plain.STRING, Presence.REQUIRED, null));
    fields.add(new SourceField(CHANGE_ORDINAL, Plain.LONG, Presence.REQUIRED, null));
    fields.add(new SourceField(COMMIT_SNAPSHOT, Plain.LONG, Presence.REQUIRED, null));
    return new StructOf(fields);
  }

  /** Positions of the rows that are live under these deletes. */
  private BitSet positions(Table table, LiveFile live) {
    BitSet positions = new BitSet();
    try (CloseableIterable<Record> found = open(table, live, new Schema())) {
      found.forEach(row -> positions.set(Math.toIntExact((Long) row.get(0))));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + slice.name(), e);
    }
    return positions;
  }

  /** The live rows: the columns asked for, the position behind them, then what deletes need. */
  private CloseableIterable<Record> open(Table table, LiveFile live, Schema columns) {
    try {
      Schema projection = TypeUtil.join(columns, new Schema(MetadataColumns.ROW_POSITION));
      LiveRecords filter = new LiveRecords(table, live, projection);
      ReadBuilder<Record, Object> builder =
          FormatModelRegistry.<Record, Object>readBuilder(
                  live.file().format(),
                  Record.class,
                  EncryptingFileIO.combine(table.io(), table.encryption())
                      .newInputFile(live.file()))
              .project(filter.requiredSchema())
              .idToConstant(
                  PartitionUtil.constantsMap(
                      task(table, live), IdentityPartitionConverters::convertConstant));
      String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
      if (mapping != null) {
        builder.withNameMapping(NameMappingParser.fromJson(mapping));
      }
      return filter.filter(builder.build());
    } catch (RuntimeException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  private static BaseFileScanTask task(Table table, LiveFile live) {
    return new BaseFileScanTask(
        live.file(),
        live.deletes().toArray(DeleteFile[]::new),
        SchemaParser.toJson(table.schema()),
        PartitionSpecParser.toJson(Objects.requireNonNull(table.specs().get(live.file().specId()))),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  @Override
  public boolean next() {
    try {
      while (rows.hasNext()) {
        current = rows.next();
        if (!left.get(Math.toIntExact(position()))) {
          return true;
        }
      }
      return false;
    } catch (RuntimeException e) {
      throw RecordReaders.unreadable(slice, e);
    }
  }

  private long position() {
    return (Long) Objects.requireNonNull(current).get(positionAt);
  }

  @Override
  public SourceRecord record() {
    Map<String, @Nullable Object> row =
        AvroRecords.fields(Objects.requireNonNull(value.apply(current)));
    RowChange change = part.change();
    if (change == null) {
      return new Fields(row, types, null);
    }
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(row);
    changed.put(CHANGE_TYPE, change.type().name());
    changed.put(CHANGE_ORDINAL, change.ordinal());
    changed.put(COMMIT_SNAPSHOT, change.snapshot());
    return new Fields(changed, types, null);
  }

  @Override
  public long place() {
    return part.firstRecord() + position();
  }

  @Override
  public byte @Nullable [] bytes() {
    return null;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
