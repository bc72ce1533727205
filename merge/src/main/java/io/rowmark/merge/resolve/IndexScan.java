package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import io.rowmark.formats.index.IndexLayout;
import io.rowmark.index.IndexedTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Reads the entries of one snapshot of an index through Spark. */
final class IndexScan {
  private final Dataset<Row> entries;
  private final int keyWidth;

  private IndexScan(Dataset<Row> entries, int keyWidth) {
    this.entries = entries;
    this.keyWidth = keyWidth;
  }

  /** Opens a snapshot. The result has the key columns as {@code k0, k1, …} and {@code place}. */
  static IndexScan at(SparkSession spark, IndexedTable names, Table index, Snapshot snapshot) {
    Schema schema = SnapshotUtil.schemaFor(index, snapshot.snapshotId());
    int width = names.key().size();
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(IndexedTable.quoted(schema.columns().get(i).name()) + " AS " + keyName(i));
    }
    columns.addAll(IndexLayout.LOCATION_COLUMNS);
    columns.add("_file AS " + ResolvedRows.INDEX_FILE);
    columns.add("_pos AS " + ResolvedRows.INDEX_POSITION);
    Dataset<Row> scan =
        spark.sql(
            "SELECT %s FROM %s VERSION AS OF %d"
                .formatted(String.join(", ", columns), names.sparkIndex(), snapshot.snapshotId()));
    return new IndexScan(scan, width);
  }

  static String keyName(int i) {
    return "k" + i;
  }

  /** Only entries whose change is younger than an order. */
  IndexScan youngerThan(byte[] order) {
    return new IndexScan(entries.filter(isYounger(order)), keyWidth);
  }

  /** Places of entries whose change is not younger than an order, or unknown. */
  Dataset<Row> notYoungerThan(byte[] order) {
    return entries
        .filter(isYounger(order).isNull().or(org.apache.spark.sql.functions.not(isYounger(order))))
        .select(place().as("p"))
        .select("p.*");
  }

  /** Whether any entry's change is younger than an order. */
  boolean hasYoungerThan(byte[] order) {
    return !entries.filter(isYounger(order)).limit(1).isEmpty();
  }

  private static Column isYounger(byte[] order) {
    return col(IndexLayout.CHANGE_ORDER).gt(lit(order));
  }

  /**
   * The entries of some keys.
   *
   * @param keys columns {@code k0, k1, …}, without repetition
   * @param extent how many keys there are, and in which range
   */
  Dataset<Row> find(Dataset<Row> keys, NetExtent extent) {
    Column first = col(keyName(0));
    Dataset<Row> candidates = entries;
    if (extent.lowest() != null) {
      // files, row groups and pages outside the batch's key range are not read
      candidates =
          candidates.filter(first.geq(lit(extent.lowest())).and(first.leq(lit(extent.highest()))));
    }
    Dataset<Row> wanted = extent.isBroadcastable() ? broadcast(keys) : keys;
    List<Column> columns = new ArrayList<>();
    Column match = lit(true);
    for (int i = 0; i < keyWidth; i++) {
      columns.add(col("e." + keyName(i)));
      match = match.and(col("e." + keyName(i)).equalTo(col("w." + keyName(i))));
    }
    columns.add(place().as("place"));
    return candidates
        .as("e")
        .join(wanted.as("w"), match, "inner")
        .select(columns.toArray(Column[]::new));
  }

  private static Column place() {
    return struct(
        col(IndexLayout.DATA_FILE).as(ResolvedRows.DATA_FILE),
        col(IndexLayout.POSITION).as(ResolvedRows.POSITION),
        col(IndexLayout.ROW_ID).as(ResolvedRows.ROW_ID),
        col(IndexLayout.CHANGE_ORDER).as(ResolvedRows.APPLIED_ORDER),
        col(ResolvedRows.INDEX_FILE),
        col(ResolvedRows.INDEX_POSITION));
  }
}
