package io.rowmark.merge.normalize;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;

/** Rows whose values are compared by content. */
public final class ComparableRow {
  private ComparableRow() {}

  /** Values with equality by content; bytes and structs inside lists and maps have none. */
  public static List<Object> of(Row row) {
    List<Object> values = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      if (value instanceof Row inner) {
        values.add(of(inner));
      } else {
        values.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
      }
    }
    return values;
  }
}
