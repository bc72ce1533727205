package io.rowmark.app.quickstart;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.merge.spec.PipelineSpec;
import java.io.PrintWriter;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One row, found twice: where the index says it is, and where the table has it.
 *
 * @param index name of the index table
 * @param table name of the data table
 * @param indexed place by the index
 * @param actual place by the table
 */
record RowTrace(String index, String table, Place indexed, Place actual) {

  /** A data file and a position in it, counted from 0. */
  record Place(String dataFile, long position) {
    @Override
    public String toString() {
      return "position %d of %s"
          .formatted(position, dataFile.substring(dataFile.lastIndexOf('/') + 1));
    }
  }

  /**
   * @param condition SQL over the key columns that holds for one row
   * @throws RowmarkException TABLE_STATE when the two places differ, or one is missing
   */
  static RowTrace find(
      PipelineSpec pipeline, String table, String condition, SparkSession session) {
    String index = table + pipeline.index().suffix();
    String prefix = pipeline.catalog().name() + ".";
    Place indexed =
        place(
            session
                .table(prefix + index)
                .where(condition)
                .where(IndexLayout.DATA_FILE + " is not null")
                .selectExpr(IndexLayout.DATA_FILE, IndexLayout.POSITION)
                .collectAsList(),
            index,
            condition);
    Place actual =
        place(
            session
                .table(prefix + table)
                .where(condition)
                .selectExpr("_file", "_pos")
                .collectAsList(),
            table,
            condition);
    if (!indexed.equals(actual)) {
      throw RowmarkException.tableState(
          "The index %s says %s, but the row of %s is at %s. Build the index again."
              .formatted(index, indexed, table, actual));
    }
    return new RowTrace(index, table, indexed, actual);
  }

  private static Place place(List<Row> rows, String table, String condition) {
    if (rows.size() != 1) {
      throw RowmarkException.tableState(
          "%d rows of %s have %s; one was expected. Build the index again."
              .formatted(rows.size(), table, condition));
    }
    return new Place(rows.get(0).getString(0), rows.get(0).getLong(1));
  }

  void print(PrintWriter out) {
    out.printf("  index says  %s  (%s)%n", indexed, index);
    out.printf("  table has   %s  (%s)%n", actual, table);
  }
}
