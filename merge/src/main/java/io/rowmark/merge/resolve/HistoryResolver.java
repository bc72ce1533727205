package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;

import io.rowmark.index.IndexedTable;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedChanges.Arrangement;
import io.rowmark.merge.resolve.ResolvedRows.State;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.KeptRows;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Turns the changes of a history into versions: looks up the open version of each changed key,
 * reads it by its place, and folds the changes on top of it.
 */
final class HistoryResolver {
  private static final long EVENTS_PER_TASK = 500_000;

  private final SparkSession spark;

  HistoryResolver(SparkSession spark) {
    this.spark = spark;
  }

  ResolvedTable resolve(IndexedTable names, OpenTable table, NormalizedTable normalized) {
    Dataset<Row> changes =
        NetChanges.changes(normalized, normalized.events().spread(spark))
            .persist(StorageLevel.MEMORY_AND_DISK());
    List<Dataset<Row>> kept = new ArrayList<>(List.of(changes));
    OpenIndex index = table.requireIndex();
    IndexScan scan =
        index.base() == null ? null : IndexScan.at(spark, names, index.table(), index.base());
    StructType type = ResolvedRows.type(table.table().schema(), names.key());
    Dataset<Row> input = together(names, table, changes, scan, type, kept);
    int tasks = (int) (1 + normalized.eventCount() / EVENTS_PER_TASK);
    KeptRows.Versions versions = (KeptRows.Versions) table.spec().kept();
    Dataset<Row> judged =
        (tasks == 1 ? input.coalesce(1) : input.repartition(tasks, col(VersionTask.KEY)))
            .sortWithinPartitions(
                col(VersionTask.KEY),
                col(VersionTask.RANK),
                col(EventRows.ORDER),
                col(EventRows.FILE),
                col(EventRows.PLACE),
                col(EventRows.OP))
            .mapPartitions(
                new VersionTask(table.name().toString(), versions.names()), Encoders.row(type))
            .persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(judged);
    Tally tally = Tally.of(judged);
    Dataset<Row> applied =
        judged.filter(
            col(ResolvedRows.STATE)
                .notEqual(State.STALE.name())
                .and(col(ResolvedRows.STATE).notEqual(State.PROBLEM.name())));
    return new ResolvedTable(
        table,
        normalized,
        new ResolvedChanges.Spread(applied, Arrangement.ANY, kept),
        new Truncation.None(),
        tally.counts(),
        table.live().requireAll(tally.dataFiles()),
        index.live().requireAll(tally.indexFiles()),
        tally.counts().problems() == 0 ? List.of() : Judgement.problems(judged, normalized),
        scan == null ? LookupReads.NONE : LookupReads.ofScan(index.live()));
  }

  /** Changes and the entries of their keys with the rows they name, in the same columns. */
  private Dataset<Row> together(
      IndexedTable names,
      OpenTable table,
      Dataset<Row> changes,
      @Nullable IndexScan scan,
      StructType type,
      List<Dataset<Row>> kept) {
    List<String> key = names.key();
    Column[] own = new Column[key.size()];
    Column[] plain = new Column[key.size()];
    Column[] found = new Column[key.size()];
    for (int i = 0; i < own.length; i++) {
      Column value = col(EventRows.ROW).getField(key.get(i));
      own[i] = value.as(key.get(i));
      plain[i] = value.as(IndexScan.keyName(i));
      found[i] = col(IndexScan.keyName(i)).as(key.get(i));
    }
    Dataset<Row> events =
        changes.select(
            struct(own).as(VersionTask.KEY),
            lit(VersionTask.CHANGE).as(VersionTask.RANK),
            col(EventRows.OP),
            col(EventRows.ORDER),
            col(EventRows.FILE),
            col(EventRows.PLACE),
            col(EventRows.UNAVAILABLE),
            col(EventRows.ROW),
            lit(null).cast(ResolvedRows.PLACE).as(ResolvedRows.FOUND));
    if (scan == null) {
      return events;
    }
    Dataset<Row> wanted = changes.select(plain).distinct();
    Dataset<Row> entries =
        scan.find(wanted, NetExtent.ofKeys(wanted, table.requireKey()))
            .persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(entries);
    Column file = col("place").getField(ResolvedRows.DATA_FILE);
    Column at = col("place").getField(ResolvedRows.POSITION);
    Dataset<Row> rows =
        new OldRows(spark)
            .read(
                table,
                entries
                    .filter(file.isNotNull())
                    .select(file.as(OldRows.FILE), at.as(OldRows.AT))
                    .distinct());
    Dataset<Row> stored =
        entries
            .join(rows, file.equalTo(col(OldRows.FILE)).and(at.equalTo(col(OldRows.AT))), "left")
            .select(
                struct(found)
                    .cast(events.schema().apply(VersionTask.KEY).dataType())
                    .as(VersionTask.KEY),
                lit(VersionTask.STORED).as(VersionTask.RANK),
                none(type, EventRows.OP),
                none(type, EventRows.ORDER),
                none(type, EventRows.FILE),
                none(type, EventRows.PLACE),
                none(type, EventRows.UNAVAILABLE),
                col(OldRows.OLD).as(EventRows.ROW),
                col("place").as(ResolvedRows.FOUND));
    return events.unionByName(stored);
  }

  private static Column none(StructType type, String column) {
    return lit(null).cast(type.apply(column).dataType()).as(column);
  }
}
