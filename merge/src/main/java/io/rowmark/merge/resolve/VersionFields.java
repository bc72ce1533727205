package io.rowmark.merge.resolve;

import io.rowmark.formats.change.EventTime;
import io.rowmark.formats.change.VersionFold.Version;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.merge.normalize.EventRows;
import java.time.Instant;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** The columns that tell versions apart, in rows as Spark gives them. */
final class VersionFields {
  private final int from;
  private final int to;
  private final int current;

  VersionFields(VersionColumns names, Row sample) {
    String flag = names.current();
    this.from = sample.fieldIndex(names.from());
    this.to = sample.fieldIndex(names.to());
    this.current = flag == null ? -1 : sample.fieldIndex(flag);
  }

  long from(Row stored) {
    return micros(stored.get(from));
  }

  /** A put has its time in the start of its version, a removal in the end. */
  long time(Row change) {
    Row row = change.getAs(EventRows.ROW);
    boolean removal = change.<Byte>getAs(EventRows.OP) == EventRows.REMOVE;
    return micros(row.get(removal ? to : from));
  }

  Row row(Version version, @Nullable Long ended) {
    @Nullable Object[] values = version.row().clone();
    values[from] = EventTime.ofMicros(version.from());
    values[to] = ended == null ? null : EventTime.ofMicros(ended);
    if (current >= 0) {
      values[current] = ended == null;
    }
    return RowFactory.create(values);
  }

  private static long micros(@Nullable Object time) {
    return EventTime.micros((Instant) Objects.requireNonNull(time));
  }
}
