package io.rowmark.index.repair;

import static org.apache.spark.sql.functions.col;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.IndexDelta;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.FileRows;
import io.rowmark.index.scan.KeyExtent;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.TaskCount;
import io.rowmark.index.verify.DifferingKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The rows of a table and the entries of its index, side by side. */
final class Sides implements AutoCloseable {
  private final SparkSession spark;
  private final IndexedTable names;
  private final KeySpec key;
  private final Table data;
  private final LiveFiles live;
  private final FileNumbers files;
  private final Broadcast<FileNumbers> sharedFiles;
  private final KeyedRows keyed;
  private final List<Broadcast<FileNumbers>> shared = new ArrayList<>();
  private FileNumbers entryFiles;

  Sides(SparkSession spark, IndexedTable names, KeySpec key, Table data, LiveFiles live) {
    this.spark = spark;
    this.names = names;
    this.key = key;
    this.data = data;
    this.live = live;
    this.files = FileNumbers.of(live);
    this.entryFiles = files;
    this.sharedFiles = share(files);
    this.keyed = new KeyedRows(spark, names, key, sharedFiles);
  }

  private Broadcast<FileNumbers> share(FileNumbers numbers) {
    Broadcast<FileNumbers> broadcast =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(numbers);
    shared.add(broadcast);
    return broadcast;
  }

  /** Numbers of the live data files. */
  FileNumbers files() {
    return files;
  }

  /** Numbers of the index's live files, as they were compared. */
  FileNumbers entryFiles() {
    return entryFiles;
  }

  /** Compares everything. */
  DifferingKeys differing(IndexDelta delta) {
    entryFiles = FileNumbers.of(delta.live());
    Dataset<Row> entries = keyed.placedEntries(delta.index(), delta.base(), share(entryFiles));
    Snapshot snapshot = data.currentSnapshot();
    boolean empty = snapshot == null || live.isEmpty();
    Dataset<Row> all =
        empty
            ? entries
            : entries.unionAll(keyed.rows(data, snapshot, KeyedRows.ENTRY_PLACE_AND_PATH));
    int tasks = TaskCount.forRows(spark, live.recordCount() + delta.live().recordCount());
    return DifferingKeys.in(spark, all, key, sharedFiles, tasks);
  }

  /** Rows and entries of differing keys, to be merged. */
  Dataset<Row> sorted(DifferingKeys differing, long count) {
    return differing
        .sides()
        .repartitionByRange(TaskCount.forRows(spark, count), KeyedRows.keyColumns(key))
        .sortWithinPartitions(KeyedRows.keyColumns(key));
  }

  /**
   * Compares the keys that differed once more, with what the index has for them now and the data
   * files that held their rows.
   *
   * @return how many data files were read
   * @throws RowmarkException TABLE_STATE when they still differ
   */
  int check(DifferingKeys before, long indexSnapshot) {
    Table index = names.catalog().loadTable(names.index());
    Snapshot now = Objects.requireNonNull(index.snapshot(indexSnapshot));
    String[] keyNames = KeyedRows.keyNames(key);
    Dataset<Row> keys = before.sides().select(KeyedRows.keyColumns(key)).distinct();
    KeyExtent extent = KeyExtent.of(key, keys);
    Broadcast<FileNumbers> numbers = share(FileNumbers.of(LiveFiles.at(index, now)));
    Dataset<Row> entries = keyed.placedEntries(index, now, numbers).where(extent.condition());
    List<LiveFile> touched =
        before
            .sides()
            .where(col("kind").equalTo(KeyedRows.ROW))
            .select("file")
            .distinct()
            .collectAsList()
            .stream()
            .map(row -> live.require(files.path(row.getInt(0))))
            .toList();
    Dataset<Row> both = touched.isEmpty() ? entries : entries.unionAll(rows(touched));
    int tasks = TaskCount.forRows(spark, extent.keys());
    try (DifferingKeys after =
        DifferingKeys.in(spark, both.join(keys, keyNames, "left_semi"), key, sharedFiles, tasks)) {
      DifferingKeys.Found found = after.found();
      if (found.count() > 0) {
        throw RowmarkException.tableState(
            "%d differences are left in the index %s after its repair, as in: %s. Run 'rowmark index build --table %s'."
                .formatted(
                    found.count(), names.index(), found.examples().get(0).detail(), names.data()));
      }
    }
    return touched.size();
  }

  /** Of a history, files hold rows that the index is not to know. */
  private Dataset<Row> rows(List<LiveFile> touched) {
    return VersionColumns.of(data.properties()).isPresent()
        ? keyed.rows(
            data, Objects.requireNonNull(data.currentSnapshot()), KeyedRows.ENTRY_PLACE_AND_PATH)
        : FileRows.of(spark, data, key, files, touched, KeyedRows.ENTRY_PLACE_AND_PATH);
  }

  @Override
  public void close() {
    shared.forEach(Broadcast::unpersist);
  }
}
