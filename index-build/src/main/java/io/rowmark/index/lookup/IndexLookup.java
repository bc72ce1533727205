package io.rowmark.index.lookup;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.JobDescription;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
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
      entries = entries.where(column.equalTo(literal(spark, key.columns().get(i), values.get(i))));
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

  /** Evaluates the value first, so that a plain literal can be compared with file statistics. */
  private static Column literal(SparkSession spark, KeySpec.KeyColumn column, String text) {
    Type type = column.type();
    String parse =
        switch (type.typeId()) {
          case BINARY, FIXED -> "unhex(:value)";
          default -> "try_cast(:value AS %s)".formatted(SparkSchemaUtil.convert(type).sql());
        };
    Object value =
        spark.sql("SELECT " + parse, Map.<String, Object>of("value", text)).first().get(0);
    if (value == null) {
      throw RowmarkException.config(
          "The value given for key column '%s' is not a %s.".formatted(column.name(), type));
    }
    return lit(value);
  }

  private static IndexEntry entry(Row row) {
    return new IndexEntry(
        row.getString(0),
        row.isNullAt(1) ? null : Long.valueOf(row.getLong(1)),
        row.isNullAt(2) ? null : Long.valueOf(row.getLong(2)),
        row.isNullAt(3) ? null : row.<byte[]>getAs(3));
  }
}
