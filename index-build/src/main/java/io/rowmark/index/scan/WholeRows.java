package io.rowmark.index.scan;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.scan.FileReadTask.Part;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The live rows of chosen data files with all their columns and what a row keeps when it moves: its
 * id and the sequence number of its last change (Iceberg table spec, "Row Lineage").
 */
public final class WholeRows {
  /** Columns of the rows, in this order. */
  public static final int GROUP = 0;

  public static final int FILE = 1;
  public static final int POSITION = 2;
  public static final int ROW_ID = 3;
  public static final int LAST_UPDATED = 4;
  public static final int ROW = 5;

  /** Names of these columns. */
  public static final String GROUP_NAME = "group";

  public static final String FILE_NAME = "file";
  public static final String POSITION_NAME = "position";
  public static final String ROW_NAME = "row";

  private WholeRows() {}

  /**
   * @param groups files by the number of the group that they belong to
   */
  public static Dataset<Row> of(
      SparkSession spark, Table data, Map<Integer, ? extends Collection<LiveFile>> groups) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Map<Integer, LiveFile> files = new LinkedHashMap<>();
    Map<Integer, Integer> groupOf = new LinkedHashMap<>();
    groups.forEach(
        (group, members) ->
            members.forEach(
                live -> {
                  groupOf.put(files.size(), group);
                  files.put(files.size(), live);
                }));
    FileReadPlan plan = FileReadPlan.whole(data, files);
    List<Part> parts = FileRows.parts(plan);
    Broadcast<FileReadPlan> shipped = context.broadcast(plan);
    int tasks = Math.max(1, Math.min(parts.size(), FileRows.tasks(context, files.values())));
    return InternalRows.asDataset(
        spark,
        shape(data),
        context.parallelize(parts, tasks).mapPartitions(new WholeRowTask(shipped, groupOf)));
  }

  private static StructType shape(Table data) {
    return new StructType()
        .add(GROUP_NAME, DataTypes.IntegerType)
        .add(FILE_NAME, DataTypes.IntegerType)
        .add(POSITION_NAME, DataTypes.LongType)
        .add("row_id", DataTypes.LongType)
        .add("last_updated", DataTypes.LongType)
        .add(ROW_NAME, SparkSchemaUtil.convert(data.schema()));
  }
}
