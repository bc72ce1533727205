package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.PositionReadTask.ReadPlan;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.SerializableTable;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.reflect.ClassTag$;

/**
 * Fills values that events left out from the rows that the table holds, read by position from only
 * the files concerned.
 */
final class OldRows {
  static final String FILE = "old_file";
  static final String AT = "old_position";
  static final String OLD = "old_row";

  private final SparkSession spark;

  OldRows(SparkSession spark) {
    this.spark = spark;
  }

  /** The same changes, with no value left out. */
  Dataset<Row> fill(OpenTable table, Dataset<Row> applied) {
    Dataset<Row> gaps = applied.filter(col(EventRows.UNAVAILABLE).isNotNull());
    Dataset<Row> complete = applied.filter(col(EventRows.UNAVAILABLE).isNull());
    Column fill = col(ResolvedRows.FILL);
    Dataset<Row> places =
        gaps.select(
                fill.getField(ResolvedRows.DATA_FILE).as(FILE),
                fill.getField(ResolvedRows.POSITION).as(AT))
            .distinct();
    Dataset<Row> old = read(table, places);
    MapFunction<Row, Row> merge = OldRows::merged;
    Dataset<Row> filled =
        gaps.join(
                old,
                fill.getField(ResolvedRows.DATA_FILE)
                    .equalTo(col(FILE))
                    .and(fill.getField(ResolvedRows.POSITION).equalTo(col(AT))))
            .map(merge, Encoders.row(applied.schema()));
    return complete.union(filled);
  }

  /**
   * Rows of the table's base, as columns {@link #FILE}, {@link #AT} and {@link #OLD}.
   *
   * @param places columns {@link #FILE} and {@link #AT}, without repetition
   */
  Dataset<Row> read(OpenTable table, Dataset<Row> places) {
    Dataset<Row> sorted = places.repartition(col(FILE)).sortWithinPartitions(FILE, AT);
    StructType oldType =
        new StructType()
            .add(FILE, DataTypes.StringType)
            .add(AT, DataTypes.LongType)
            .add(OLD, EventRows.rowType(table.table().schema()));
    Map<String, LiveFile> files = new HashMap<>();
    places
        .select(FILE)
        .distinct()
        .as(Encoders.STRING())
        .collectAsList()
        .forEach(path -> files.put(path, table.live().require(path)));
    Broadcast<ReadPlan> shipped =
        spark
            .sparkContext()
            .broadcast(
                ReadPlan.of(
                    SerializableTable.copyOf(table.table()),
                    SchemaParser.toJson(table.table().schema()),
                    files),
                ClassTag$.MODULE$.apply(ReadPlan.class));
    return sorted.mapPartitions(new PositionReadTask(shipped), Encoders.row(oldType));
  }

  private static Row merged(Row joined) {
    BitSet gaps = BitSet.valueOf((byte[]) joined.get(joined.fieldIndex(EventRows.UNAVAILABLE)));
    Row row = joined.getStruct(joined.fieldIndex(EventRows.ROW));
    Row old = joined.getStruct(joined.fieldIndex(OLD));
    Object[] values = new Object[row.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = gaps.get(i) ? old.get(i) : row.get(i);
    }
    int width = joined.fieldIndex(FILE);
    Object[] result = new Object[width];
    for (int i = 0; i < width; i++) {
      result[i] = joined.get(i);
    }
    result[joined.fieldIndex(EventRows.ROW)] = RowFactory.create(values);
    result[joined.fieldIndex(EventRows.UNAVAILABLE)] = null;
    return RowFactory.create(result);
  }
}
