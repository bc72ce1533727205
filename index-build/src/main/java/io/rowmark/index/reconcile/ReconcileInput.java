package io.rowmark.index.reconcile;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.not;

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

  /**
   * @param live files of the data table's current snapshot
   */
  ReconcileInput(
      SparkSession spark,
      IndexedTable names,
      KeySpec key,
      Table data,
      LiveFiles live,
      IndexDelta delta) {
    this.spark = spark;
    this.key = key;
    this.data = data;
    this.live = live;
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

  Gathered gather(ReconcileSlice slice) {
    FileSetDiff diff = slice.diff();
    Dataset<Row> none =
        spark.createDataFrame(List.of(), KeyedRows.shape(key, KeyedRows.ENTRY_PLACE));
    Dataset<Row> rows = none;
    long rowCount = 0;
    if (!slice.files().isEmpty()) {
      List<LiveFile> read = slice.files().stream().map(live::require).toList();
      rows = keep(FileRows.of(spark, data, key, files, read, KeyedRows.ENTRY_PLACE));
      rowCount = rows.count();
    }
    Dataset<Row> stale = none;
    long staleCount = 0;
    if (!diff.withStaleEntries().isEmpty()) {
      Dataset<Row> all = stale(diff);
      stale = keep(slice.isLast() ? all : ofSlice(all, rows, slice));
      staleCount = stale.count();
    }
    Dataset<Row> others =
        slice.files().isEmpty() ? none : entries.ofKeys(withoutStaleEntry(rows, stale));
    Dataset<Row> sorted =
        stale
            .unionAll(rows)
            .unionAll(others)
            .repartitionByRange(TaskCount.forRows(spark, staleCount + rowCount), keyed.keyColumns())
            .sortWithinPartitions(keyed.keyColumns());
    return new Gathered(sorted, rowCount, staleCount);
  }

  /**
   * Stale entries that a slice can settle: those of files that it reads, and those of keys that it
   * meets. The others still hold the order of a key whose row a later slice may bring.
   */
  private Dataset<Row> ofSlice(Dataset<Row> stale, Dataset<Row> rows, ReconcileSlice slice) {
    List<Integer> read = slice.uncertain().stream().map(files::number).toList();
    Column inFileRead = col("file").isInCollection(read);
    Dataset<Row> keys = rows.select(keyed.keyColumns()).distinct();
    Dataset<Row> met =
        stale.where(not(inFileRead)).join(keys, KeyedRows.keyNames(key), "left_semi");
    return read.isEmpty() ? met : met.unionAll(stale.where(inFileRead));
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
