package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;

import io.rowmark.index.resolve.IndexHit;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.resolve.ResolvedRows.State;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Counts and touched files of resolved changes: one job, without a shuffle. */
final class Tally implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Set<String> dataFiles = new HashSet<>();
  private final Set<String> indexFiles = new HashSet<>();
  private final Map<State, Long> puts = new EnumMap<>(State.class);
  private final Map<State, Long> removals = new EnumMap<>(State.class);
  private long rows;
  private long gaps;
  private long versions;

  /** Gathers the tally of {@code judged}, which has the columns of {@link ResolvedRows}. */
  static Tally of(Dataset<Row> judged) {
    Column found = col(ResolvedRows.FOUND);
    MapPartitionsFunction<Row, byte[]> count =
        part -> List.of(SerializationUtil.serializeToBytes(Tally.of(part))).iterator();
    List<byte[]> parts =
        judged
            .select(
                col(EventRows.OP),
                col(ResolvedRows.STATE),
                col(EventRows.UNAVAILABLE).isNotNull(),
                found.getField(ResolvedRows.DATA_FILE),
                found.getField(ResolvedRows.INDEX_FILE))
            .mapPartitions(count, Encoders.BINARY())
            .collectAsList();
    Tally sum = new Tally();
    for (byte[] part : parts) {
      Tally one = SerializationUtil.deserializeFromBytes(part);
      sum.add(one);
    }
    return sum;
  }

  private static Tally of(Iterator<Row> part) {
    Tally tally = new Tally();
    while (part.hasNext()) {
      Row row = part.next();
      State state = State.valueOf(row.getString(1));
      tally.count(row.getByte(0), state);
      if (applies(state) && row.getBoolean(2)) {
        tally.gaps++;
      }
      tally.touch(state, row.getString(3), row.getString(4));
    }
    return tally;
  }

  private static boolean applies(State state) {
    return state != State.STALE && state != State.PROBLEM;
  }

  /** Adds a change that leaves no values out. */
  void add(ResolvedChanges.Placed placed, State state) {
    count(placed.change().op(), state);
    IndexHit hit = placed.found();
    if (hit != null) {
      touch(state, hit.entry().dataFile(), hit.indexFile());
    }
  }

  private void count(byte op, State state) {
    rows++;
    if (op == NetChanges.PAST) {
      versions++;
      return;
    }
    // a deleted row that the table did not have before is one more row
    boolean added = op == EventRows.FLAG && (state == State.ABSENT || state == State.TOMBSTONE);
    boolean removal = (op == EventRows.REMOVE || op == EventRows.FLAG) && !added;
    (removal ? removals : puts).merge(state, 1L, Long::sum);
  }

  private void touch(State state, @Nullable String dataFile, @Nullable String indexFile) {
    if (state == State.LIVE && dataFile != null) {
      dataFiles.add(dataFile);
    }
    if (applies(state) && indexFile != null) {
      indexFiles.add(indexFile);
    }
  }

  private void add(Tally other) {
    rows += other.rows;
    gaps += other.gaps;
    versions += other.versions;
    dataFiles.addAll(other.dataFiles);
    indexFiles.addAll(other.indexFiles);
    other.puts.forEach((state, count) -> puts.merge(state, count, Long::sum));
    other.removals.forEach((state, count) -> removals.merge(state, count, Long::sum));
  }

  /** All changes, also those that are left out. */
  long rows() {
    return rows;
  }

  /** Changes whose left-out values must be read from old rows. */
  long gaps() {
    return gaps;
  }

  /** Data files with a row to delete. */
  Set<String> dataFiles() {
    return dataFiles;
  }

  /** Index files with an entry to replace. */
  Set<String> indexFiles() {
    return indexFiles;
  }

  ResolveCounts counts() {
    return new ResolveCounts(
        puts(State.ABSENT) + puts(State.TOMBSTONE),
        puts(State.LIVE),
        removals(State.LIVE),
        removals(State.ABSENT) + removals(State.TOMBSTONE),
        puts(State.STALE) + removals(State.STALE),
        puts(State.PROBLEM) + removals(State.PROBLEM),
        gaps,
        puts(State.NOT_LOOKED_UP),
        removals(State.NOT_LOOKED_UP),
        versions);
  }

  private long puts(State state) {
    return puts.getOrDefault(state, 0L);
  }

  private long removals(State state) {
    return removals.getOrDefault(state, 0L);
  }
}
