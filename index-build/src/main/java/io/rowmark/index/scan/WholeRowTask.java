package io.rowmark.index.scan;

import io.rowmark.index.scan.FileReadTask.Part;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Reads live rows of data files in the shape of {@link WholeRows}. */
final class WholeRowTask implements FlatMapFunction<Iterator<Part>, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileReadPlan> shipped;
  private final HashMap<Integer, Integer> groupOf;

  /**
   * @param groupOf group of each file, by its number
   */
  WholeRowTask(Broadcast<FileReadPlan> shipped, Map<Integer, Integer> groupOf) {
    this.shipped = shipped;
    this.groupOf = new HashMap<>(groupOf);
  }

  @Override
  public Iterator<InternalRow> call(Iterator<Part> parts) {
    FileReadPlan plan = shipped.value();
    return FileReadTask.read(plan, parts, (read, file) -> shape(plan, read, file)::of);
  }

  private Shape shape(FileReadPlan plan, StructType read, int file) {
    return new Shape(plan, read, file, Objects.requireNonNull(groupOf.get(file)));
  }

  /** Puts what the reader gives into the common shape. */
  private static final class Shape {
    private final DataType[] types;
    private final @Nullable Object[] columns;
    private final @Nullable Object[] values = new Object[WholeRows.ROW + 1];
    private final GenericInternalRow shaped = new GenericInternalRow(values);
    private final boolean hasLineage;

    Shape(FileReadPlan plan, StructType read, int file, int group) {
      int width = plan.table().schema().columns().size();
      this.types = new DataType[width];
      for (int i = 0; i < width; i++) {
        types[i] = read.fields()[i].dataType();
      }
      this.columns = new Object[width];
      this.hasLineage = plan.hasRowIds();
      values[WholeRows.GROUP] = group;
      values[WholeRows.FILE] = file;
      values[WholeRows.ROW] = new GenericInternalRow(columns);
    }

    /** Valid until the next call. */
    InternalRow of(InternalRow row) {
      int width = types.length;
      for (int i = 0; i < width; i++) {
        columns[i] = row.isNullAt(i) ? null : row.get(i, types[i]);
      }
      values[WholeRows.POSITION] = row.getLong(width);
      values[WholeRows.ROW_ID] = hasLineage ? longOrNull(row, width + 1) : null;
      values[WholeRows.LAST_UPDATED] = hasLineage ? longOrNull(row, width + 2) : null;
      return shaped;
    }

    private static @Nullable Long longOrNull(InternalRow row, int at) {
      return row.isNullAt(at) ? null : row.getLong(at);
    }
  }
}
