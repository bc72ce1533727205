package io.rowmark.merge.normalize;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** Decoded events, rows of {@link EventRows}: on the driver when they are few, else in Spark. */
public sealed interface Events {

  /** Few events, on the driver. */
  record AtHand(List<Row> rows, StructType type) implements Events {
    public AtHand {
      rows = List.copyOf(rows);
    }

    @Override
    public Dataset<Row> spread(SparkSession spark) {
      return spark.createDataFrame(rows, type);
    }

    @Override
    public void release() {}
  }

  /** Any number of events, kept by Spark until {@link #release}. */
  record Spread(Dataset<Row> rows) implements Events {
    @Override
    public Dataset<Row> spread(SparkSession spark) {
      return rows;
    }

    @Override
    public void release() {
      rows.unpersist(false);
    }
  }

  /** The events as a dataset, wherever they are. */
  Dataset<Row> spread(SparkSession spark);

  /** Lets Spark forget what it keeps. */
  void release();
}
