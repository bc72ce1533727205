package io.rowmark.merge.source;

import static org.apache.spark.sql.functions.lit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What is read of a Delta table for some neighbouring versions. The rows are those of Delta's
 * change feed, whether it tells them or they are found by comparing: the columns of the table, and
 * beside them {@link DeltaTable#CHANGE_TYPE} and {@link DeltaTable#COMMIT_VERSION}.
 */
public final class VersionRows {
  /** What a row says of the change: insert, delete, update_preimage or update_postimage. */
  public static final String CHANGE_TYPE = "_change_type";

  /** Column of the version that made a change. */
  public static final String COMMIT_VERSION = "_commit_version";

  static final String COMMIT_TIMESTAMP = "_commit_timestamp";

  private final DeltaTable table;
  private final Span span;
  private final Map<Long, Integer> inputs;

  /** How the rows of versions are found. */
  sealed interface Span {
    /** All rows that the table has at a version. */
    record Whole(long version) implements Span {}

    /** What the change feed tells of versions. */
    record Feed(long from, long to) implements Span {}

    /** What tells a version from the one before it. */
    record Difference(long version, DeltaDifference rows) implements Span {}
  }

  /**
   * @param inputs rank of the input that each version is, among those of the batch; versions that
   *     are none change no row
   */
  VersionRows(DeltaTable table, Span span, Map<Long, Integer> inputs) {
    this.table = table;
    this.span = span;
    this.inputs = Map.copyOf(inputs);
  }

  /**
   * The rows, in sets of one schema each; nothing is read before they are asked for.
   *
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when the table does not tell them
   *     any more
   */
  public List<Dataset<Row>> rows() {
    if (span instanceof Span.Whole whole) {
      return List.of(changed(table.at(whole.version()), "insert", whole.version()));
    } else if (span instanceof Span.Feed feed) {
      return List.of(table.feed(feed.from(), feed.to()).drop(COMMIT_TIMESTAMP));
    }
    Span.Difference between = (Span.Difference) span;
    List<Dataset<Row>> rows = new ArrayList<>();
    if (between.rows().gone() != null) {
      rows.add(changed(between.rows().gone(), "delete", between.version()));
    }
    if (between.rows().come() != null) {
      rows.add(changed(between.rows().come(), "insert", between.version()));
    }
    return rows;
  }

  private static Dataset<Row> changed(Dataset<Row> rows, String type, long version) {
    return rows.withColumn(CHANGE_TYPE, lit(type)).withColumn(COMMIT_VERSION, lit(version));
  }

  /** Rank of the input that each version is; versions without one change no row. */
  public Map<Long, Integer> inputs() {
    return inputs;
  }

  /** The source table, for messages. */
  public String table() {
    return table.name();
  }

  @Override
  public String toString() {
    return span.toString();
  }
}
