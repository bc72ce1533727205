package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.EqualityDeleteRows;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.FileRows;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.TaskCount;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/** Gathers the entries and rows that a reconcile has to put together. Keeps them until closed. */
final class ReconcileInput implements AutoCloseable {
  private final SparkSession spark;
  private final KeySpec key;
  private final Table data;
  private final LiveFiles live;
  private final FileNumbers files;
  private final FileNumbers entryFiles;
  private final Broadcast<FileNumbers> sharedFiles;
  private final Broadcast<FileNumbers> sharedEntryFiles;
  private final KeyedRows keyed;
  private final EntryScan entries;
  private final List<Broadcast<?>> shared = new ArrayList<>();
  private final List<Dataset<Row>> kept = new ArrayList<>();

  ReconcileInput(
      SparkSession spark, IndexedTable names, KeySpec key, Table data, IndexDelta delta) {
    this.spark = spark;
    this.key = key;
    this.data = data;
    this.live = LiveFiles.at(data, data.currentSnapshot());
    this.files = FileNumbers.of(live);
    this.entryFiles = FileNumbers.of(delta.live());
    this.sharedFiles = share(files);
    this.sharedEntryFiles = share(entryFiles);
    this.keyed = new KeyedRows(spark, names, key, sharedFiles);
    this.entries = new EntryScan(keyed, key, delta.index(), delta.base(), sharedEntryFiles);
  }

  private <T> Broadcast<T> share(T value) {
    Broadcast<T> broadcast =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(value);
    shared.add(broadcast);
    return broadcast;
  }

  private Dataset<Row> keep(Dataset<Row> rows) {
    Dataset<Row> persisted = rows.persist(StorageLevel.MEMORY_AND_DISK());
    kept.add(persisted);
    return persisted;
  }

  /** Files of the data table's current snapshot. */
  LiveFiles live() {
    return live;
  }

  FileNumbers files() {
    return files;
  }

  FileNumbers entryFiles() {
    return entryFiles;
  }

  /** The same difference, with masked files whose rows came back to life among the uncertain. */
  FileSetDiff checked(FileSetDiff diff) {
    if (diff.masked().isEmpty()) {
      return diff;
    }
    Broadcast<StalePlaces> places = share(StalePlaces.of(data, live, files, diff));
    return diff.withRevived(entries.revived(diff, places, sharedFiles));
  }

  /**
   * What was gathered.
   *
   * @param sorted by key, a key in one partition
   * @param rows live rows read
   * @param stale entries that have to go or to be looked at again
   */
  record Gathered(Dataset<Row> sorted, long rows, long stale) {
    boolean isEmpty() {
      return rows + stale == 0;
    }
  }

  Gathered gather(FileSetDiff diff) {
    Dataset<Row> none =
        spark.createDataFrame(List.of(), KeyedRows.shape(key, KeyedRows.ENTRY_PLACE));
    Dataset<Row> stale = none;
    long staleCount = 0;
    if (!diff.withStaleEntries().isEmpty()) {
      stale = keep(stale(diff));
      staleCount = stale.count();
    }
    Dataset<Row> rows = none;
    long rowCount = 0;
    Dataset<Row> others = none;
    if (!diff.toRead().isEmpty()) {
      List<LiveFile> read = diff.toRead().stream().map(live::require).toList();
      rows = keep(FileRows.of(spark, data, key, files, read, KeyedRows.ENTRY_PLACE));
      rowCount = rows.count();
      others = entries.ofKeys(withoutStaleEntry(rows, stale));
    }
    Dataset<Row> sorted =
        stale
            .unionAll(rows)
            .unionAll(others)
            .repartitionByRange(TaskCount.forRows(spark, staleCount + rowCount), keyed.keyColumns())
            .sortWithinPartitions(keyed.keyColumns());
    return new Gathered(sorted, rowCount, staleCount);
  }

  private Dataset<Row> stale(FileSetDiff diff) {
    Broadcast<StalePlaces> places = share(StalePlaces.of(data, live, files, diff));
    Dataset<Row> stale = entries.stale(diff, places);
    if (diff.erased().isEmpty()) {
      return stale;
    }
    Dataset<Row> left = entries.erasable(diff, places);
    for (KeyDeletes group : KeyDeletes.of(diff, key, live, files)) {
      Dataset<Row> values =
          keep(EqualityDeleteRows.of(spark, data, key, group.columns(), group.deletes()));
      Column erased = entries.erasedBy(share(group));
      stale = stale.unionAll(left.join(values, erased, "left_semi"));
      left = left.join(values, erased, "left_anti");
    }
    return stale;
  }

  /** Keys that only the rest of the index can tell about. After a compaction there are none. */
  private Dataset<Row> withoutStaleEntry(Dataset<Row> rows, Dataset<Row> stale) {
    String[] names = KeyedRows.keyNames(key);
    return keep(
        rows.select(keyed.keyColumns())
            .join(stale.select(keyed.keyColumns()), names, "left_anti")
            .distinct());
  }

  @Override
  public void close() {
    kept.forEach(Dataset::unpersist);
    shared.forEach(Broadcast::unpersist);
  }
}
