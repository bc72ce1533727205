package io.rowmark.formats.index;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;

/**
 * The columns and settings of an index table.
 *
 * <p>One live row per key: the key columns under their own names and types, then where the row is.
 * A row with a null {@link #DATA_FILE} is a tombstone: the key was deleted at {@link
 * #CHANGE_ORDER}. A null {@link #ROW_ID} says that the row has the id which its file gives it
 * (first row id + position, Iceberg table spec, "Row Lineage"); only rows that carry an older id
 * store it.
 */
public final class IndexLayout {
  public static final String DATA_FILE = "data_file";
  public static final String POSITION = "position";
  public static final String ROW_ID = "row_id";
  public static final String CHANGE_ORDER = "change_order";

  /** The location columns, in the order in which they follow the key columns. */
  public static final List<String> LOCATION_COLUMNS =
      List.of(DATA_FILE, POSITION, ROW_ID, CHANGE_ORDER);

  /**
   * Marks a table as an index; its value is the layout's version. A build never overwrites a table
   * without it.
   */
  public static final String MARK = "rowmark.index-layout";

  private IndexLayout() {}

  /**
   * @throws RowmarkException CONFIG when a key column has the name of a location column
   */
  public static Schema schema(KeySpec key) {
    List<Types.NestedField> fields = new ArrayList<>();
    int id = 1;
    for (KeySpec.KeyColumn column : key.columns()) {
      if (LOCATION_COLUMNS.contains(column.name().toLowerCase(Locale.ROOT))) {
        throw RowmarkException.config(
            "Key column '%s' has the name of a column of the index table (%s). Rename it."
                .formatted(column.name(), LOCATION_COLUMNS));
      }
      fields.add(Types.NestedField.required(id++, column.name(), column.type()));
    }
    fields.add(Types.NestedField.optional(id++, DATA_FILE, Types.StringType.get()));
    fields.add(Types.NestedField.optional(id++, POSITION, Types.LongType.get()));
    fields.add(Types.NestedField.optional(id++, ROW_ID, Types.LongType.get()));
    fields.add(Types.NestedField.optional(id, CHANGE_ORDER, Types.BinaryType.get()));
    return new Schema(fields);
  }

  /** Sorted by key, so that files, row groups and pages have narrow key ranges. */
  public static SortOrder sortOrder(Schema indexSchema, KeySpec key) {
    SortOrder.Builder builder = SortOrder.builderFor(indexSchema);
    key.names().forEach(builder::asc);
    return builder.build();
  }

  /**
   * Table properties of an index table.
   *
   * <p>Version 2 pages give delta encodings, without which the index is 2 to 50 times larger
   * (measured, docs/benchmarks.md). A dictionary would take their place for values that repeat
   * within a row group by chance, as the positions of several files do.
   *
   * @param formatVersion that of the data table, so that both take the same kind of deletes
   */
  public static Map<String, String> properties(int formatVersion, KeySpec key) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion));
    properties.put(MARK, Integer.toString(IndexCoverage.CODEC_VERSION));
    properties.put(TableProperties.DEFAULT_FILE_FORMAT, "parquet");
    properties.put(TableProperties.PARQUET_COMPRESSION, "zstd");
    properties.put(TableProperties.PARQUET_PAGE_VERSION, "v2");
    properties.put(TableProperties.PARQUET_PAGE_ROW_LIMIT, "4000");
    properties.put(TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, Long.toString(128L << 20));
    properties.put(TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + CHANGE_ORDER, "none");
    for (String name : key.names()) {
      properties.put(TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + name, "full");
      properties.put(TableProperties.PARQUET_DICT_ENCODING_ENABLED_COLUMN_PREFIX + name, "false");
    }
    properties.put(TableProperties.PARQUET_DICT_ENCODING_ENABLED_COLUMN_PREFIX + POSITION, "false");
    if (key.columns().stream().anyMatch(column -> column.type().typeId() == TypeID.BOOLEAN)) {
      // Version 2 pages hold booleans as RLE, which Iceberg's vectorized reader refuses (1.12.0).
      properties.put(TableProperties.PARQUET_VECTORIZATION_ENABLED, "false");
    }
    return properties;
  }
}
