package io.rowmark.index.lookup;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.JobDescription;
import java.util.List;
import java.util.UUID;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Finds the entries of one key, for people who want to see where a row is. */
public final class IndexLookup {
  private IndexLookup() {}

  /**
   * @param values one text for each key column, in key order, as Spark SQL casts it to the column's
   *     type; hexadecimal digits for binary columns
   * @return at most one entry in a sound index; all of them otherwise
   * @throws RowmarkException CONFIG when the values do not fit the key
   */
  public static List<IndexEntry> find(SparkSession spark, IndexedTable names, List<String> values) {
    KeySpec key = names.keyOf(names.loadData());
    if (values.size() != key.columns().size()) {
      throw RowmarkException.config(
          "The key of table %s has the columns %s, but %d values were given."
              .formatted(names.data(), key.names(), values.size()));
    }
    Table index =
        IndexTables.find(names.catalog(), names.index())
            .orElseThrow(
                () ->
                    RowmarkException.tableState(
                        "Table %s has no index %s. Run 'rowmark index build'."
                            .formatted(names.data(), names.index())));
    IndexTables.checkKey(index, key, names.data());
    Snapshot snapshot = index.currentSnapshot();
    if (snapshot == null) {
      return List.of();
    }
    Dataset<Row> entries =
        spark.sql(
            "SELECT * FROM %s VERSION AS OF %d"
                .formatted(names.sparkIndex(), snapshot.snapshotId()));
    var columns = SnapshotUtil.schemaFor(index, snapshot.snapshotId()).columns();
    for (int i = 0; i < values.size(); i++) {
      Column column = col(IndexedTable.quoted(columns.get(i).name()));
      entries = entries.where(equal(spark, column, key.columns().get(i), values.get(i)));
    }
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: look up one key of " + names.data())) {
      return entries
          .select(IndexLayout.LOCATION_COLUMNS.stream().map(c -> col(c)).toArray(Column[]::new))
          .collectAsList()
          .stream()
          .map(IndexLookup::entry)
          .toList();
    }
  }

  /** The value is evaluated first, so that a plain literal can be compared with statistics. */
  private static Column equal(
      SparkSession spark, Column stored, KeySpec.KeyColumn column, String text) {
    return switch (column.type().typeId()) {
      case UUID -> equalUuid(stored, column, text);
      case BINARY, FIXED -> stored.equalTo(lit(parsed(spark, "unhex(value)", column, text)));
      default -> {
        String type = SparkSchemaUtil.convert(column.type()).sql();
        String cast = "try_cast(value AS %s)".formatted(type);
        yield stored.equalTo(lit(parsed(spark, cast, column, text)));
      }
    };
  }

  /**
   * Keeps the comparison from Iceberg, which orders UUIDs by signed halves and their statistics by
   * bytes, and so skips files and row groups that hold the value (1.12.0, apache/iceberg#14216).
   */
  private static Column equalUuid(Column stored, KeySpec.KeyColumn column, String text) {
    try {
      return lower(stored).equalTo(UUID.fromString(text).toString());
    } catch (IllegalArgumentException e) {
      throw unfit(column);
    }
  }

  private static Object parsed(
      SparkSession spark, String expression, KeySpec.KeyColumn column, String text) {
    Object value =
        spark.range(1).select(lit(text).as("value")).selectExpr(expression).first().get(0);
    if (value == null) {
      throw unfit(column);
    }
    return value;
  }

  private static RowmarkException unfit(KeySpec.KeyColumn column) {
    return RowmarkException.config(
        "The value given for key column '%s' is not a %s.".formatted(column.name(), column.type()));
  }

  private static IndexEntry entry(Row row) {
    return new IndexEntry(
        row.getString(0),
        row.isNullAt(1) ? null : Long.valueOf(row.getLong(1)),
        row.isNullAt(2) ? null : Long.valueOf(row.getLong(2)),
        row.isNullAt(3) ? null : row.<byte[]>getAs(3));
  }
}
