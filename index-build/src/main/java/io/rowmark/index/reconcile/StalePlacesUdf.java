package io.rowmark.index.reconcile;

import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.jspecify.annotations.Nullable;

/** What {@link StalePlaces} knows, inside a Spark query. */
final class StalePlacesUdf {
  private StalePlacesUdf() {}

  /** Whether the entry is stale; false for a tombstone, which names no place. */
  record IsStale(Broadcast<StalePlaces> places) implements UDF2<Integer, @Nullable Long, Boolean> {
    @Override
    public Boolean call(Integer file, @Nullable Long position) {
      return position != null && places.value().isStale(file, position);
    }
  }

  /** Whether a file is hidden by positional deletes that may have changed. */
  record IsMasked(Broadcast<StalePlaces> places) implements UDF1<Integer, Boolean> {
    @Override
    public Boolean call(Integer file) {
      return places.value().isMasked(file);
    }
  }

  /** Whether rows of a file were deleted by values of key columns. */
  record IsErased(Broadcast<StalePlaces> places) implements UDF1<Integer, Boolean> {
    @Override
    public Boolean call(Integer file) {
      return places.value().isErased(file);
    }
  }

  /** Whether an equality delete applies to a data file. */
  record Applies(Broadcast<KeyDeletes> deletes) implements UDF2<Integer, Integer, Boolean> {
    @Override
    public Boolean call(Integer delete, Integer file) {
      return deletes.value().applies(delete, file);
    }
  }

  /** Rows that a masked file has left. */
  record LiveRows(Broadcast<StalePlaces> places) implements UDF1<Integer, Long> {
    @Override
    public Long call(Integer file) {
      return places.value().liveRows(file);
    }
  }
}
