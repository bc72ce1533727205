package io.rowmark.index.scan;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.types.Types;

/**
 * What tasks need to read keys of data files.
 *
 * @param table as shipped to executors
 * @param projection the key columns in key order, or all columns; then the position, then the row
 *     id where the table has them, then the number of the row's last change where that is wanted
 * @param files by their {@link FileNumbers} number
 * @param dropped columns that the table has no more and equality deletes still name, by field id
 */
record FileReadPlan(
    Table table,
    KeySpec key,
    Schema projection,
    Map<Integer, LiveFile> files,
    Map<Integer, Types.NestedField> dropped,
    Wanted wanted)
    implements Serializable {

  /** What is to be told of a row besides its key and place. */
  enum Wanted {
    ROW_ID,
    /** Also the sequence number of the commit that last changed it. */
    AGE
  }

  static FileReadPlan of(
      Table data, KeySpec key, FileNumbers numbers, Iterable<LiveFile> files, Wanted wanted) {
    Schema schema = data.schema();
    List<Types.NestedField> columns = new ArrayList<>();
    key.columns().forEach(column -> columns.add(schema.findField(column.fieldId())));
    columns.add(MetadataColumns.ROW_POSITION);
    if (TableUtil.formatVersion(data) >= 3) {
      columns.add(MetadataColumns.ROW_ID);
      if (wanted == Wanted.AGE) {
        columns.add(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
      }
    }
    Map<Integer, LiveFile> numbered = new LinkedHashMap<>();
    files.forEach(live -> numbered.put(numbers.number(live.path()), live));
    return new FileReadPlan(
        SerializableTableWithSize.copyOf(data),
        key,
        new Schema(columns),
        numbered,
        dropped(data, numbered),
        wanted);
  }

  /**
   * All columns, then the position, then row id and last-updated sequence number where the table
   * has them.
   *
   * @param files by any numbers
   */
  static FileReadPlan whole(Table data, Map<Integer, LiveFile> files) {
    List<Types.NestedField> columns =
        Stream.concat(
                data.schema().columns().stream(),
                TableUtil.formatVersion(data) >= 3
                    ? Stream.of(
                        MetadataColumns.ROW_POSITION,
                        MetadataColumns.ROW_ID,
                        MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER)
                    : Stream.of(MetadataColumns.ROW_POSITION))
            .toList();
    return new FileReadPlan(
        SerializableTableWithSize.copyOf(data),
        new KeySpec(List.of()),
        new Schema(columns),
        new LinkedHashMap<>(files),
        dropped(data, files),
        Wanted.ROW_ID);
  }

  private static Map<Integer, Types.NestedField> dropped(Table data, Map<Integer, LiveFile> files) {
    Map<Integer, Types.NestedField> fields = new HashMap<>();
    for (LiveFile live : files.values()) {
      for (DeleteFile delete : live.deletes()) {
        for (int id : Objects.requireNonNullElse(delete.equalityFieldIds(), List.<Integer>of())) {
          if (data.schema().findField(id) == null) {
            fields.computeIfAbsent(id, missing -> former(data, missing));
          }
        }
      }
    }
    return fields;
  }

  private static Types.NestedField former(Table data, int id) {
    return data.schemas().values().stream()
        .map(schema -> schema.findField(id))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "An equality delete of %s names field %d, which no schema has"
                        .formatted(data.name(), id)));
  }

  boolean hasRowIds() {
    return projection.findField(MetadataColumns.ROW_ID.fieldId()) != null;
  }

  /** A column of the table as it is, or as it was before it was dropped. */
  Types.NestedField field(int id) {
    Types.NestedField present = table.schema().findField(id);
    return present != null ? present : Objects.requireNonNull(dropped.get(id));
  }

  /** A scan of one whole file. */
  BaseFileScanTask scan(int number) {
    LiveFile live = Objects.requireNonNull(files.get(number));
    return new BaseFileScanTask(
        live.file(),
        live.deletes().toArray(DeleteFile[]::new),
        SchemaParser.toJson(table.schema()),
        PartitionSpecParser.toJson(Objects.requireNonNull(table.specs().get(live.file().specId()))),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  /** Numbers of the files, for those who cut the work into tasks. */
  Set<Integer> numbers() {
    return files.keySet();
  }
}
