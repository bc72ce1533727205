package io.rowmark.index.compact;

import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.position.LiveFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** How many sorted files a lookup of one key may have to open, told by their bounds. */
public final class RangeDepth {
  private RangeDepth() {}

  private record End(Object value, int step) {}

  /**
   * The most files whose ranges of a column hold one value. A file without bounds may hold any.
   *
   * @param files with statistics of the column
   * @param column the leading column of their order
   */
  public static int of(Collection<LiveFile> files, Types.NestedField column) {
    Type type = column.type();
    List<End> ends = new ArrayList<>();
    int boundless = 0;
    for (LiveFile live : files) {
      ByteBuffer lower = bound(live.file().lowerBounds(), column.fieldId());
      ByteBuffer upper = bound(live.file().upperBounds(), column.fieldId());
      if (lower == null || upper == null) {
        boundless++;
      } else {
        ends.add(new End(KeyForm.bound(type, lower), 1));
        ends.add(new End(KeyForm.bound(type, upper), -1));
      }
    }
    // ranges include their ends, so one begins before another ends at the same value
    ends.sort(
        Comparator.comparing(End::value, KeyForm::compare)
            .thenComparing(Comparator.comparingInt(End::step).reversed()));
    int open = 0;
    int deepest = 0;
    for (End end : ends) {
      open += end.step();
      deepest = Math.max(deepest, open);
    }
    return deepest + boundless;
  }

  private static @Nullable ByteBuffer bound(@Nullable Map<Integer, ByteBuffer> bounds, int column) {
    return bounds == null ? null : bounds.get(column);
  }
}
