package io.rowmark.merge.resolve;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Reject;
import io.rowmark.merge.plan.OpenTable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one table with the place of every row they touch.
 *
 * @param changes those that are to be applied: neither stale nor problems
 * @param truncation what a truncate removes besides
 * @param touchedData data files with rows to delete
 * @param touchedIndex index files with entries to replace
 * @param rejects changes that cannot become rows
 * @param reads what was read of the index
 */
public record ResolvedTable(
    OpenTable table,
    NormalizedTable normalized,
    ResolvedChanges changes,
    Truncation truncation,
    ResolveCounts counts,
    Map<String, LiveFile> touchedData,
    Map<String, LiveFile> touchedIndex,
    List<Reject> rejects,
    LookupReads reads) {

  /** What a truncate event of the batch does to the rows from before. */
  public sealed interface Truncation {
    /** No truncate, or one that came late. */
    record None() implements Truncation {}

    /**
     * Every row goes: all files are dropped.
     *
     * @param order of the truncate; null if unknown
     */
    record Everything(byte @Nullable [] order) implements Truncation {}

    /**
     * Some rows are younger than the truncate and stay.
     *
     * @param order of the truncate
     * @param older places of the rows that go, columns as {@link ResolvedRows#PLACE}
     */
    record Older(byte[] order, Dataset<Row> older) implements Truncation {}
  }

  public ResolvedTable {
    touchedData = Map.copyOf(touchedData);
    touchedIndex = Map.copyOf(touchedIndex);
    rejects = List.copyOf(rejects);
  }

  /** Order below which changes are stale from now on: the last truncate's. */
  public byte @Nullable [] truncatedAt() {
    if (truncation instanceof Truncation.Everything everything) {
      return everything.order();
    } else if (truncation instanceof Truncation.Older older) {
      return older.order();
    }
    return table.index() == null ? null : table.index().truncatedAt();
  }

  /**
   * The same changes for the table as it is by now, where what they are does not depend on its
   * rows.
   */
  public ResolvedTable onto(OpenTable now) {
    return new ResolvedTable(
        now, normalized, changes, truncation, counts, touchedData, touchedIndex, rejects, reads);
  }

  /** Lets Spark forget what it kept. */
  public void release() {
    changes.release();
  }
}
