package io.rowmark.merge.resolve;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.normalize.EventRows;
import io.rowmark.merge.normalize.Events;
import io.rowmark.merge.normalize.GapPolicy;
import io.rowmark.merge.normalize.NetChanges;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedChanges.Arrangement;
import io.rowmark.merge.resolve.ResolvedRows.State;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.TableSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Joins the net changes of a batch with the index. Where rows are deleted by key there is none:
 * every change applies, whether the table has a row of its key or not.
 */
public final class PositionResolver {
  private final SparkSession spark;
  private final AtHandResolver driver;

  /**
   * @param threads for the work of small batches on the driver
   */
  public PositionResolver(SparkSession spark, Executor threads) {
    this.spark = spark;
    this.driver = new AtHandResolver(threads);
  }

  /**
   * Resolves one table.
   *
   * @throws RowmarkException TABLE_STATE when the index names a file that is not live, or has two
   *     entries for one key
   */
  public ResolvedTable resolve(IndexedTable names, OpenTable table, NormalizedTable normalized) {
    if (table.spec().kept() instanceof KeptRows.Versions) {
      return new HistoryResolver(spark).resolve(names, table, normalized);
    }
    return normalized.events() instanceof Events.AtHand few
            && AtHandResolver.fits(table, normalized)
        ? driver.resolve(table, normalized, few)
        : join(names, table, normalized);
  }

  private ResolvedTable join(IndexedTable names, OpenTable table, NormalizedTable normalized) {
    IndexScan scan = scan(names, table);
    Dataset<Row> changes = NetChanges.changes(normalized, normalized.events().spread(spark));
    if (normalized.hasGaps() && scan != null) {
      changes = new AppliedChanges(names, table).without(changes, scan);
    }
    GapPolicy gaps = table.deletesByKey() ? GapPolicy.REFUSED : GapPolicy.FILLED;
    Dataset<Row> net =
        NetChanges.of(normalized, changes, table.table().schema(), gaps)
            .persist(StorageLevel.MEMORY_AND_DISK());
    List<Dataset<Row>> kept = new ArrayList<>(List.of(net));
    NetExtent extent = NetExtent.of(net, table.key());
    Truncation truncation = truncation(table, normalized, scan, kept);
    if (truncation instanceof Truncation.Everything) {
      scan = null;
    } else if (truncation instanceof Truncation.Older older && scan != null) {
      scan = scan.youngerThan(older.order());
    }
    Dataset<Row> placed = placed(names, net, extent, scan, kept);
    Dataset<Row> known =
        table.spec().kept() instanceof KeptRows.Deleted && !table.deletesByKey()
            ? KeptDeletes.known(placed)
            : placed;
    Dataset<Row> judged =
        known
            .withColumn(ResolvedRows.STATE, Judgement.state(table))
            .persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(judged);
    Tally tally = Tally.of(judged);
    if (tally.rows() != extent.rows()) {
      throw RowmarkException.tableState(
          "The index of table %s has two entries for one key. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build'."
              .formatted(table.name()));
    }
    Dataset<Row> applied =
        judged.filter(
            col(ResolvedRows.STATE)
                .notEqual(State.STALE.name())
                .and(col(ResolvedRows.STATE).notEqual(State.PROBLEM.name())));
    Dataset<Row> filled = tally.gaps() == 0 ? applied : fill(table, applied, kept);
    OpenIndex index = table.index();
    return new ResolvedTable(
        table,
        normalized,
        new ResolvedChanges.Spread(
            filled,
            tally.gaps() == 0 && normalized.eventCount() > 0
                ? Arrangement.KEY_RANGES
                : Arrangement.ANY,
            kept),
        truncation,
        tally.counts(),
        table.live().requireAll(tally.dataFiles()),
        index == null ? Map.of() : index.live().requireAll(tally.indexFiles()),
        tally.counts().problems() == 0 ? List.of() : Judgement.problems(judged, normalized),
        scan == null || index == null ? LookupReads.NONE : LookupReads.ofScan(index.live()));
  }

  private @Nullable IndexScan scan(IndexedTable names, OpenTable table) {
    OpenIndex index = table.index();
    if (index == null || index.base() == null) {
      return null;
    }
    return IndexScan.at(spark, names, index.table(), index.base());
  }

  /** A truncate that is not younger than the last one applied came late and removes nothing. */
  private static Truncation truncation(
      OpenTable table,
      NormalizedTable normalized,
      @Nullable IndexScan scan,
      List<Dataset<Row>> kept) {
    if (!normalized.truncates()
        || table.spec().truncatePolicy() != TableSpec.TruncatePolicy.APPLY) {
      return new Truncation.None();
    }
    byte[] order = normalized.truncateOrder();
    OpenIndex index = table.index();
    byte[] last = index == null ? null : index.truncatedAt();
    if (order != null && last != null && ChangeOrder.COMPARATOR.compare(order, last) <= 0) {
      return new Truncation.None();
    }
    if (order == null || scan == null || !scan.hasYoungerThan(order)) {
      return new Truncation.Everything(order);
    }
    Dataset<Row> older = scan.notYoungerThan(order).persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(older);
    return new Truncation.Older(order, older);
  }

  private static Dataset<Row> placed(
      IndexedTable names,
      Dataset<Row> net,
      NetExtent extent,
      @Nullable IndexScan scan,
      List<Dataset<Row>> kept) {
    Column none = lit(null).cast(ResolvedRows.PLACE);
    if (scan == null || extent.rows() == 0) {
      return net.withColumn(ResolvedRows.FOUND, none).withColumn(ResolvedRows.FILL, none);
    }
    Dataset<Row> wanted = net.select(keys(EventRows.ROW, names.key()));
    if (extent.hasBases()) {
      Dataset<Row> based = net.filter(col(NetChanges.BASE).isNotNull());
      wanted = wanted.union(based.select(keys(NetChanges.BASE, names.key()))).distinct();
    }
    Dataset<Row> hits = scan.find(wanted, extent).persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(hits);
    Dataset<Row> side = extent.isBroadcastable() ? broadcast(hits) : hits;
    Dataset<Row> found = join(net, side, EventRows.ROW, names.key(), ResolvedRows.FOUND);
    return extent.hasBases()
        ? join(found, side, NetChanges.BASE, names.key(), ResolvedRows.FILL)
        : found.withColumn(ResolvedRows.FILL, none);
  }

  private static Column[] keys(String parent, List<String> key) {
    Column[] columns = new Column[key.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = col(parent).getField(key.get(i)).as(IndexScan.keyName(i));
    }
    return columns;
  }

  private static Dataset<Row> join(
      Dataset<Row> changes, Dataset<Row> hits, String parent, List<String> key, String as) {
    Column match = lit(true);
    for (int i = 0; i < key.size(); i++) {
      match =
          match.and(
              col("c." + parent).getField(key.get(i)).equalTo(col("h." + IndexScan.keyName(i))));
    }
    return changes
        .as("c")
        .join(hits.as("h"), match, "left")
        .select(col("c.*"), col("h.place").as(as));
  }

  private Dataset<Row> fill(OpenTable table, Dataset<Row> applied, List<Dataset<Row>> kept) {
    Dataset<Row> filled =
        new OldRows(spark).fill(table, applied).persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(filled);
    return filled;
  }
}
