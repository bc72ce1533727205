package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;

import io.rowmark.merge.normalize.EventRows;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;

/**
 * Deletes that keep their rows, where nobody knows the row: neither the event nor the batch nor the
 * table. There is nothing to keep, so they are plain removals, which the index remembers.
 */
final class KeptDeletes {
  private static final String NOTHING = "nothing_to_keep";

  private KeptDeletes() {}

  /** Placed net changes, without removals that would keep a row of unknown values. */
  static Dataset<Row> known(Dataset<Row> placed) {
    Column nothing =
        col(EventRows.OP)
            .equalTo(EventRows.FLAG)
            .and(col(EventRows.UNAVAILABLE).isNotNull())
            .and(col(ResolvedRows.FOUND).getField(ResolvedRows.DATA_FILE).isNull())
            .and(col(ResolvedRows.FILL).getField(ResolvedRows.DATA_FILE).isNull());
    return placed
        .withColumn(NOTHING, nothing)
        .withColumn(
            EventRows.OP, when(col(NOTHING), lit(EventRows.REMOVE)).otherwise(col(EventRows.OP)))
        .withColumn(
            EventRows.UNAVAILABLE,
            when(col(NOTHING), lit(null).cast(DataTypes.BinaryType))
                .otherwise(col(EventRows.UNAVAILABLE)))
        .drop(NOTHING);
  }
}
