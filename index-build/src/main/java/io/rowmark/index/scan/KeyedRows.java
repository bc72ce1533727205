package io.rowmark.index.scan;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Reads live rows of a data table and entries of its index in one common shape, so that they can be
 * put together and told apart again.
 *
 * <p>The shape: the key columns by number, then {@link #KIND}, {@link #FILE} (a {@link FileNumbers}
 * number), {@link #POSITION}, {@link #ROW_ID} and {@link #EXTRA}. Only Iceberg's own reader may
 * give positions; columnar accelerators have got them wrong.
 */
public final class KeyedRows {
  /** Columns behind the key columns, counted from their end. */
  public static final int KIND = 0;

  public static final int FILE = 1;
  public static final int POSITION = 2;
  public static final int ROW_ID = 3;
  public static final int EXTRA = 4;

  /** An index entry that remembers a deleted key. */
  public static final int TOMBSTONE = 0;

  /** An index entry that says where a row is. */
  public static final int ENTRY = 1;

  /** A live row of the data table. */
  public static final int ROW = 2;

  /** An index entry of a key that a new row was found for, though nothing is known against it. */
  public static final int STANDING = 3;

  /** {@link #EXTRA} of entries whose own place in the index matters. */
  public static final StructType ENTRY_PLACE =
      new StructType()
          .add("change_order", DataTypes.BinaryType)
          .add("entry_file", DataTypes.IntegerType)
          .add("entry_position", DataTypes.LongType);

  /** The same with the path of a data file that is not live. */
  public static final StructType ENTRY_PLACE_AND_PATH =
      ENTRY_PLACE.add("unknown_file", DataTypes.StringType);

  private final SparkSession spark;
  private final IndexedTable names;
  private final KeySpec key;
  private final Broadcast<FileNumbers> files;

  public KeyedRows(
      SparkSession spark, IndexedTable names, KeySpec key, Broadcast<FileNumbers> files) {
    this.spark = spark;
    this.names = names;
    this.key = key;
    this.files = files;
  }

  /**
   * The live rows at a snapshot, deletes of every kind applied; of a history, the current versions.
   *
   * @param extraType type of the empty {@link #EXTRA} column
   */
  public Dataset<Row> rows(Table data, Snapshot snapshot, DataType extraType) {
    Schema schema = SnapshotUtil.schemaFor(data, snapshot.snapshotId());
    List<String> columns = new ArrayList<>();
    for (KeySpec.KeyColumn column : key.columns()) {
      Types.NestedField field = schema.findField(column.fieldId());
      if (field == null) {
        throw RowmarkException.tableState(
            "Key column '%s' was added to table %s after its last row was written, so no row has a value for it. Fill it first."
                .formatted(column.name(), names.data()));
      }
      columns.add(IndexedTable.quoted(field.name()));
    }
    columns.add("_file");
    columns.add("_pos");
    boolean lineage = TableUtil.formatVersion(data) >= 3;
    if (lineage) {
      columns.add("_row_id");
    }
    Dataset<Row> scan = scan(names.sparkData(), columns, snapshot, current(data, schema));
    return shaped(
        scan,
        lit(ROW),
        col("_file"),
        col("_pos"),
        lineage ? col("_row_id") : lit(null),
        lit(null).cast(extraType));
  }

  /**
   * The orders that an index remembers: one row per entry that has one, live or tombstone, with the
   * order as {@link #EXTRA} and no place.
   */
  public Dataset<Row> orders(Table index, Snapshot snapshot) {
    List<String> columns = entryKeys(index, snapshot);
    columns.add(IndexLayout.CHANGE_ORDER);
    Dataset<Row> scan =
        scan(names.sparkIndex(), columns, snapshot)
            .where(col(IndexLayout.CHANGE_ORDER).isNotNull());
    return shaped(
        scan,
        lit(ENTRY),
        lit(null).cast(DataTypes.StringType),
        lit(null),
        lit(null),
        col(IndexLayout.CHANGE_ORDER));
  }

  /** All entries, with a path that is not live as {@link #EXTRA}. */
  public Dataset<Row> entries(Table index, Snapshot snapshot) {
    List<String> columns = entryKeys(index, snapshot);
    columns.addAll(IndexLayout.LOCATION_COLUMNS);
    Column file = col(IndexLayout.DATA_FILE);
    return shaped(
        scan(names.sparkIndex(), columns, snapshot),
        functions.when(file.isNull(), TOMBSTONE).otherwise(ENTRY),
        file,
        col(IndexLayout.POSITION),
        col(IndexLayout.ROW_ID),
        functions.when(number(file).equalTo(FileNumbers.UNKNOWN), file));
  }

  /**
   * Entries with {@link #ENTRY_PLACE} as {@link #EXTRA}; tombstones have no file.
   *
   * @param entryFiles numbers of the index's own live files
   * @param condition on the index's own columns, for what can be skipped by statistics
   */
  public Dataset<Row> placedEntries(
      Table index, Snapshot snapshot, Broadcast<FileNumbers> entryFiles, Column condition) {
    return placedEntries(index, snapshot, condition, functions.struct(entryPlace(entryFiles)));
  }

  /** All entries with {@link #ENTRY_PLACE_AND_PATH} as {@link #EXTRA}. */
  public Dataset<Row> placedEntries(
      Table index, Snapshot snapshot, Broadcast<FileNumbers> entryFiles) {
    Column file = col(IndexLayout.DATA_FILE);
    List<Column> extra = new ArrayList<>(List.of(entryPlace(entryFiles)));
    extra.add(functions.when(number(file).equalTo(FileNumbers.UNKNOWN), file).as("unknown_file"));
    return placedEntries(
        index, snapshot, lit(true), functions.struct(extra.toArray(Column[]::new)));
  }

  private static Column[] entryPlace(Broadcast<FileNumbers> entryFiles) {
    return new Column[] {
      col(IndexLayout.CHANGE_ORDER).as("change_order"),
      number(col("_file"), entryFiles).as("entry_file"),
      col("_pos").cast(DataTypes.LongType).as("entry_position")
    };
  }

  private Dataset<Row> placedEntries(
      Table index, Snapshot snapshot, Column condition, Column extra) {
    List<String> columns = entryKeys(index, snapshot);
    columns.addAll(IndexLayout.LOCATION_COLUMNS);
    columns.add("_file");
    columns.add("_pos");
    Column file = col(IndexLayout.DATA_FILE);
    return shaped(
        scan(names.sparkIndex(), columns, snapshot).where(condition),
        functions.when(file.isNull(), TOMBSTONE).otherwise(ENTRY),
        file,
        col(IndexLayout.POSITION),
        col(IndexLayout.ROW_ID),
        extra);
  }

  /** The columns of the common shape. */
  public static StructType shape(KeySpec key, DataType extraType) {
    StructType shape = new StructType();
    for (int i = 0; i < key.columns().size(); i++) {
      shape = shape.add(keyName(i), SparkSchemaUtil.convert(key.columns().get(i).type()));
    }
    return shape
        .add("kind", DataTypes.IntegerType)
        .add("file", DataTypes.IntegerType)
        .add("position", DataTypes.LongType)
        .add("row_id", DataTypes.LongType)
        .add("extra", extraType);
  }

  /** The key columns in the common shape. */
  public Column[] keyColumns() {
    return keyColumns(key);
  }

  /** The key columns in the common shape. */
  public static Column[] keyColumns(KeySpec key) {
    return Stream.of(keyNames(key)).map(name -> col(name)).toArray(Column[]::new);
  }

  /** The common names of the key columns. */
  public static String[] keyNames(KeySpec key) {
    return IntStream.range(0, key.columns().size())
        .mapToObj(KeyedRows::keyName)
        .toArray(String[]::new);
  }

  private static String keyName(int i) {
    return "key" + i;
  }

  /** The first columns of an index are its key, whatever the key is called by now. */
  private List<String> entryKeys(Table index, Snapshot snapshot) {
    Schema schema = SnapshotUtil.schemaFor(index, snapshot.snapshotId());
    List<String> columns = new ArrayList<>();
    schema
        .columns()
        .subList(0, key.columns().size())
        .forEach(field -> columns.add(IndexedTable.quoted(field.name())));
    return columns;
  }

  /** The rows that an index is to know: of a history, those that have not ended. */
  private String current(Table data, Schema schema) {
    Optional<VersionColumns> versions = VersionColumns.of(data.properties());
    if (versions.isEmpty()) {
      return "";
    }
    String to = versions.get().to();
    if (schema.findField(to) == null) {
      throw RowmarkException.tableState(
          "Table %s is a history by its property %s, which names the column %s; it has none of this name. Correct the property."
              .formatted(names.data(), VersionColumns.TO, to));
    }
    return " WHERE %s IS NULL".formatted(IndexedTable.quoted(to));
  }

  private Dataset<Row> scan(String table, List<String> columns, Snapshot snapshot) {
    return scan(table, columns, snapshot, "");
  }

  private Dataset<Row> scan(
      String table, List<String> columns, Snapshot snapshot, String condition) {
    return spark.sql(
        "SELECT %s FROM %s VERSION AS OF %d%s"
            .formatted(String.join(", ", columns), table, snapshot.snapshotId(), condition));
  }

  private Dataset<Row> shaped(
      Dataset<Row> scan, Column kind, Column path, Column position, Column rowId, Column extra) {
    List<Column> columns = new ArrayList<>();
    String[] scanned = scan.columns();
    for (int i = 0; i < key.columns().size(); i++) {
      DataType type = SparkSchemaUtil.convert(key.columns().get(i).type());
      columns.add(col(IndexedTable.quoted(scanned[i])).cast(type).as(keyName(i)));
    }
    columns.add(kind.as("kind"));
    columns.add(number(path).as("file"));
    columns.add(position.cast(DataTypes.LongType).as("position"));
    columns.add(rowId.cast(DataTypes.LongType).as("row_id"));
    columns.add(extra.as("extra"));
    return scan.select(columns.toArray(Column[]::new));
  }

  private Column number(Column path) {
    return number(path, files);
  }

  private static Column number(Column path, Broadcast<FileNumbers> files) {
    UserDefinedFunction number = functions.udf(new FileNumberUdf(files), DataTypes.IntegerType);
    return number.asNonNullable().apply(path);
  }
}
