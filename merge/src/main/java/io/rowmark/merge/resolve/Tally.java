package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.when;

import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.resolve.ResolvedRows.State;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Counts and touched files of a batch, gathered in one job. */
final class Tally {
  final Map<String, Long> dataFiles = new HashMap<>();
  final Map<String, Long> indexFiles = new HashMap<>();
  private final Map<State, Long> puts = new HashMap<>();
  private final Map<State, Long> removals = new HashMap<>();
  long rows;
  long gaps;
  long problems;

  static Tally of(Dataset<Row> judged) {
    Column found = col(ResolvedRows.FOUND);
    Column applies = col(ResolvedRows.STATE).isin(State.LIVE.name(), State.TOMBSTONE.name());
    Column data =
        struct(
            lit("data").as("side"),
            found.getField(ResolvedRows.DATA_FILE).as("path"),
            found.getField(ResolvedRows.POSITION).as("at"));
    Column index =
        struct(
            lit("index").as("side"),
            when(applies, found.getField(ResolvedRows.INDEX_FILE)).as("path"),
            found.getField(ResolvedRows.INDEX_POSITION).as("at"));
    Dataset<Row> groups =
        judged
            .select(
                col(EventRows.OP),
                col(ResolvedRows.STATE),
                col(EventRows.UNAVAILABLE).isNotNull().as("gap"),
                explode(array(data, index)).as("f"))
            .groupBy(
                col(EventRows.OP),
                col(ResolvedRows.STATE),
                col("gap"),
                col("f.side"),
                col("f.path"))
            .agg(count(lit(1)), max("f.at"));
    Tally tally = new Tally();
    groups.collectAsList().forEach(tally::add);
    return tally;
  }

  private void add(Row group) {
    State state = State.valueOf(group.getString(1));
    String path = group.getString(4);
    long count = group.getLong(5);
    if (group.getString(3).equals("index")) {
      if (path != null) {
        indexFiles.merge(path, group.getLong(6), Math::max);
      }
      return;
    }
    rows += count;
    Map<State, Long> ops = group.getByte(0) == EventRows.REMOVE ? removals : puts;
    ops.merge(state, count, Long::sum);
    if (state == State.PROBLEM) {
      problems += count;
    } else if (state != State.STALE) {
      gaps += group.getBoolean(2) ? count : 0;
    }
    if (state == State.LIVE) {
      dataFiles.merge(path, group.getLong(6), Math::max);
    }
  }

  ResolveCounts counts() {
    long absentPuts = puts.getOrDefault(State.ABSENT, 0L) + puts.getOrDefault(State.TOMBSTONE, 0L);
    long absentRemovals =
        removals.getOrDefault(State.ABSENT, 0L) + removals.getOrDefault(State.TOMBSTONE, 0L);
    return new ResolveCounts(
        absentPuts,
        puts.getOrDefault(State.LIVE, 0L),
        removals.getOrDefault(State.LIVE, 0L),
        absentRemovals,
        puts.getOrDefault(State.STALE, 0L) + removals.getOrDefault(State.STALE, 0L),
        problems,
        gaps);
  }
}
