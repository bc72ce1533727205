package io.rowmark.index.scan;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** Hands rows in Spark's own form to a query, without a detour over objects. */
public final class InternalRows extends BaseRelation implements TableScan {
  private final SQLContext context;
  private final StructType schema;
  private final RDD<InternalRow> rows;

  private InternalRows(SQLContext context, StructType schema, RDD<InternalRow> rows) {
    this.context = context;
    this.schema = schema;
    this.rows = rows;
  }

  /**
   * @param rows each valid until the next is asked for
   */
  public static Dataset<Row> asDataset(
      SparkSession spark, StructType schema, JavaRDD<InternalRow> rows) {
    return spark.baseRelationToDataFrame(new InternalRows(spark.sqlContext(), schema, rows.rdd()));
  }

  @Override
  public SQLContext sqlContext() {
    return context;
  }

  @Override
  public StructType schema() {
    return schema;
  }

  @Override
  public boolean needConversion() {
    return false;
  }

  /** Without conversion, Spark takes what is declared as rows for its own form. */
  @Override
  @SuppressWarnings("unchecked")
  public RDD<Row> buildScan() {
    return (RDD<Row>) (RDD<?>) rows;
  }
}
