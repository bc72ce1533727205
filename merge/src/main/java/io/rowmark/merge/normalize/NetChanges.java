package io.rowmark.merge.normalize;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.substring;
import static org.apache.spark.sql.functions.when;

import io.rowmark.formats.change.SourceOrder;
import io.rowmark.merge.normalize.SliceSummary.Point;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * One net change per key of a batch, computed in the order of the source and never in the order in
 * which Spark happens to hand out rows.
 *
 * <p>Columns of the result: {@link EventRows#OP} ({@link EventRows#REMOVE}, {@link EventRows#FLAG}
 * or {@link #PUT}), {@link EventRows#ORDER}, {@link EventRows#FILE}, {@link EventRows#PLACE} of the
 * last change, {@link EventRows#UNAVAILABLE}, {@link #BASE} (key of the stored row that fills the
 * unavailable values), {@link EventRows#ROW} (key columns only, for a removal) and {@link #PROBLEM}
 * (a reject code). Rows of one partition are in key order, but for keys that a change of key ties
 * together.
 */
public final class NetChanges {
  /** The op of a row to be stored. */
  public static final byte PUT = 1;

  /** The op of a row to be stored that is not its key's current one: a version that ended. */
  public static final byte PAST = 3;

  public static final String BASE = "base";
  public static final String PROBLEM = "problem";

  static final String GROUP = "fold_group";
  static final String MOVED_FROM = "moved_from";

  /** Encoded orders of Postgres without the number of the event in its transaction. */
  private static final int PAIR_PREFIX_BYTES = 17;

  private static final long ROWS_PER_TASK = 500_000;

  private NetChanges() {}

  /** The op of a net change by that of its last event. */
  static byte op(byte last) {
    return last == EventRows.REMOVE || last == EventRows.FLAG ? last : PUT;
  }

  /** The columns of the result for a table. */
  public static StructType type(Schema table, List<String> key) {
    StructType row = EventRows.rowType(table);
    StructType base = new StructType();
    for (String name : key) {
      base = base.add(row.apply(name));
    }
    return new StructType()
        .add(EventRows.OP, DataTypes.ByteType)
        .add(EventRows.ORDER, DataTypes.BinaryType)
        .add(EventRows.FILE, DataTypes.IntegerType)
        .add(EventRows.PLACE, DataTypes.LongType)
        .add(EventRows.UNAVAILABLE, DataTypes.BinaryType)
        .add(BASE, base)
        .add(EventRows.ROW, row)
        .add(PROBLEM, DataTypes.StringType);
  }

  /**
   * The net changes of normalized events.
   *
   * @param changes of {@link #changes}, or some of them
   * @param table columns of the target; key columns among them
   * @param gaps what becomes of events that leave values out
   */
  public static Dataset<Row> of(
      NormalizedTable normalized, Dataset<Row> changes, Schema table, GapPolicy gaps) {
    TableSpec spec = normalized.input().spec();
    if (spec.mode() == TableSpec.Mode.APPEND_ONLY) {
      return lasting(appended(changes, table), normalized);
    }
    Dataset<Row> grouped = withGroups(changes, normalized, spec.key());
    int tasks = (int) (1 + normalized.eventCount() / ROWS_PER_TASK);
    List<Column> group = new ArrayList<>();
    spec.key().forEach(name -> group.add(col(GROUP).getField(name)));
    List<Column> order = new ArrayList<>(group);
    order.add(col(EventRows.ORDER));
    order.add(col(EventRows.FILE));
    order.add(col(EventRows.PLACE));
    // the two halves of a change of key that is one record: the old key goes first
    order.add(col(EventRows.OP));
    Dataset<Row> sorted =
        (tasks == 1
                ? grouped.coalesce(1)
                : grouped.repartitionByRange(tasks, group.toArray(Column[]::new)))
            .sortWithinPartitions(order.toArray(Column[]::new));
    return lasting(
        sorted.mapPartitions(
            new FoldTask(spec.key(), gaps, normalized.carryOvers(), spec.kept().columns().keySet()),
            Encoders.row(type(table, spec.key()))),
        normalized);
  }

  /** Takes away orders that mean nothing to later batches. */
  private static Dataset<Row> lasting(Dataset<Row> net, NormalizedTable normalized) {
    return normalized.orderScope() == SourceOrder.Scope.SOURCE
        ? net
        : net.withColumn(EventRows.ORDER, lit(null).cast(DataTypes.BinaryType));
  }

  /** Changes after the last truncate, if there is one that applies. */
  public static Dataset<Row> changes(NormalizedTable normalized, Dataset<Row> events) {
    Dataset<Row> changes = events.filter(col(EventRows.KIND).equalTo(EventRows.CHANGE));
    Point truncate = normalized.summary().truncate();
    TableSpec spec = normalized.input().spec();
    if (truncate == null || spec.truncatePolicy() != TableSpec.TruncatePolicy.APPLY) {
      return changes;
    }
    Column later =
        col(EventRows.FILE)
            .gt(truncate.file())
            .or(
                col(EventRows.FILE)
                    .equalTo(truncate.file())
                    .and(col(EventRows.PLACE).gt(truncate.place())));
    byte[] order = truncate.order();
    if (order != null) {
      Column at = lit(order);
      later = col(EventRows.ORDER).gt(at).or(col(EventRows.ORDER).equalTo(at).and(later));
    }
    return changes.filter(later);
  }

  private static Dataset<Row> appended(Dataset<Row> changes, Schema table) {
    StructType type = type(table, List.of());
    return changes.select(
        lit(PUT).as(EventRows.OP),
        col(EventRows.ORDER),
        col(EventRows.FILE),
        col(EventRows.PLACE),
        col(EventRows.UNAVAILABLE),
        lit(null).cast(type.apply(BASE).dataType()).as(BASE),
        col(EventRows.ROW),
        when(col(EventRows.UNAVAILABLE).isNotNull(), Reject.UNAVAILABLE_WITHOUT_BASE).as(PROBLEM));
  }

  /**
   * Adds the group whose changes must be folded together: the key itself, or, where a change of key
   * carries left-out values along, one key for the whole chain.
   */
  private static Dataset<Row> withGroups(
      Dataset<Row> changes, NormalizedTable normalized, List<String> key) {
    Column own = keyOf(key);
    if (normalized.summary().insertsWithGaps() == 0) {
      return changes
          .withColumn(GROUP, own)
          .withColumn(MOVED_FROM, lit(null).cast(keyType(changes, key)));
    }
    Dataset<Row> moves = moves(changes, key).persist();
    try {
      Dataset<Row> groups = KeyChains.groups(moves, keyType(changes, key));
      Dataset<Row> moved =
          changes
              .as("c")
              .join(
                  moves.as("m"),
                  col("c." + EventRows.FILE)
                      .equalTo(col("m." + EventRows.FILE))
                      .and(col("c." + EventRows.PLACE).equalTo(col("m." + EventRows.PLACE)))
                      .and(keyOf("c." + EventRows.ROW, key).equalTo(col("m.new_key"))),
                  "left")
              .select(col("c.*"), col("m.old_key").as(MOVED_FROM));
      Column movedOwn = keyOf(key);
      return moved
          .withColumn("own_key", movedOwn)
          .join(groups, col("own_key").equalTo(col("member")), "left")
          .withColumn(GROUP, coalesce(col("leader"), col("own_key")))
          .drop("own_key", "member", "leader");
    } finally {
      moves.unpersist(false);
    }
  }

  /** Second halves of key changes that have gaps, with the key of the first half. */
  private static Dataset<Row> moves(Dataset<Row> changes, List<String> key) {
    Column prefix = substring(col(EventRows.ORDER), 1, PAIR_PREFIX_BYTES);
    Dataset<Row> inserts =
        changes
            .filter(
                col(EventRows.OP)
                    .equalTo(EventRows.INSERT)
                    .and(col(EventRows.UNAVAILABLE).isNotNull()))
            .select(
                prefix.as("pair"),
                col(EventRows.FILE),
                col(EventRows.PLACE),
                keyOf(key).as("new_key"));
    Dataset<Row> removals =
        changes
            .filter(col(EventRows.OP).isin(EventRows.REMOVE, EventRows.FLAG))
            .select(
                prefix.as("pair"),
                col(EventRows.FILE),
                col(EventRows.PLACE),
                keyOf(key).as("old_key"));
    Dataset<Row> inOneRecord = oldest(removals, EventRows.FILE, EventRows.PLACE);
    Dataset<Row> atOnePosition =
        oldest(removals, "pair").withColumnRenamed("old_key", "other_old_key");
    return inserts
        .join(inOneRecord, new String[] {EventRows.FILE, EventRows.PLACE}, "left")
        .join(atOnePosition, new String[] {"pair"}, "left")
        .withColumn("old_key", coalesce(col("old_key"), col("other_old_key")))
        .drop("other_old_key")
        .filter(col("old_key").isNotNull());
  }

  private static Dataset<Row> oldest(Dataset<Row> removals, String... by) {
    Column[] columns = Arrays.stream(by).map(name -> col(name)).toArray(Column[]::new);
    return removals.groupBy(columns).agg(min("old_key").as("old_key"));
  }

  static Column keyOf(List<String> key) {
    return keyOf(EventRows.ROW, key);
  }

  private static Column keyOf(String row, List<String> key) {
    return struct(
        key.stream().map(name -> col(row).getField(name).as(name)).toArray(Column[]::new));
  }

  private static StructType keyType(Dataset<Row> changes, List<String> key) {
    StructType row = (StructType) changes.schema().apply(EventRows.ROW).dataType();
    StructType type = new StructType();
    for (String name : key) {
      StructField field = row.apply(name);
      type = type.add(field);
    }
    return type;
  }
}
