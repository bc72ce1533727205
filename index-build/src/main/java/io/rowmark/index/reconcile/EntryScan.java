package io.rowmark.index.reconcile;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.not;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.when;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.scan.EqualityDeleteRows;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyExtent;
import io.rowmark.index.scan.KeyedRows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;

/** Finds entries in one snapshot of an index. Reads only the columns that a question needs. */
final class EntryScan {
  /** Above this, Iceberg does not skip by a list of values anyway. */
  private static final int MOST_LISTED_FILES = 200;

  private static final long MOST_BROADCAST_KEYS = 1_000_000;

  private final KeyedRows keyed;
  private final KeySpec key;
  private final Table index;
  private final Snapshot snapshot;
  private final Broadcast<FileNumbers> entryFiles;

  EntryScan(
      KeyedRows keyed,
      KeySpec key,
      Table index,
      Snapshot snapshot,
      Broadcast<FileNumbers> entryFiles) {
    this.keyed = keyed;
    this.key = key;
    this.index = index;
    this.snapshot = snapshot;
    this.entryFiles = entryFiles;
  }

  /** How many entries name each data file. */
  static Map<String, Long> countByFile(
      SparkSession spark, IndexedTable names, Snapshot indexSnapshot) {
    Map<String, Long> counts = new HashMap<>();
    spark
        .sql(
            "SELECT %s, count(*) FROM %s VERSION AS OF %d WHERE %s IS NOT NULL GROUP BY 1"
                .formatted(
                    IndexLayout.DATA_FILE,
                    names.sparkIndex(),
                    indexSnapshot.snapshotId(),
                    IndexLayout.DATA_FILE))
        .collectAsList()
        .forEach(row -> counts.put(row.getString(0), row.getLong(1)));
    return counts;
  }

  /**
   * Masked files with more or fewer live rows than entries that are not stale: rows came back to
   * life, or there is no entry at all to compare with.
   */
  Set<String> revived(
      FileSetDiff diff, Broadcast<StalePlaces> places, Broadcast<FileNumbers> files) {
    Column file = col("file");
    Column stale = isStale(places);
    Column isMasked =
        udf(new StalePlacesUdf.IsMasked(places), DataTypes.BooleanType).asNonNullable().apply(file);
    Column liveRows =
        udf(new StalePlacesUdf.LiveRows(places), DataTypes.LongType).asNonNullable().apply(file);
    Set<String> revived = new HashSet<>(diff.masked());
    keyed
        .placedEntries(index, snapshot, entryFiles, named(diff.masked()))
        .where(isMasked)
        .groupBy(file)
        .agg(count(when(not(stale), lit(1))).as("left"))
        .where(col("left").equalTo(liveRows))
        .select(file)
        .collectAsList()
        .forEach(row -> revived.remove(files.value().path(row.getInt(0))));
    return revived;
  }

  /** Entries that have to go or to be looked at again, for the places that they name. */
  Dataset<Row> stale(FileSetDiff diff, Broadcast<StalePlaces> places) {
    return entriesOf(diff.withStaleEntries()).where(isStale(places));
  }

  private Dataset<Row> entriesOf(Set<String> files) {
    return keyed
        .placedEntries(index, snapshot, entryFiles, named(files))
        .where(col("kind").equalTo(KeyedRows.ENTRY));
  }

  /** Entries of erased files that are not stale by place, to compare with deletes by value. */
  Dataset<Row> erasable(FileSetDiff diff, Broadcast<StalePlaces> places) {
    return entriesOf(diff.erased())
        .where(
            udf(new StalePlacesUdf.IsErased(places), DataTypes.BooleanType)
                .asNonNullable()
                .apply(col("file"))
                .and(not(isStale(places))));
  }

  /** Whether an entry has values that an equality delete names, in a file that it applies to. */
  Column erasedBy(Broadcast<KeyDeletes> deletes) {
    Column match =
        udf(new StalePlacesUdf.Applies(deletes), DataTypes.BooleanType)
            .asNonNullable()
            .apply(col(EqualityDeleteRows.BY), col("file"));
    for (int ordinal : EqualityDeleteRows.ordinals(key, deletes.value().columns())) {
      match =
          match.and(
              col(KeyedRows.keyNames(key)[ordinal])
                  .equalTo(col(EqualityDeleteRows.column(ordinal))));
    }
    return match;
  }

  /**
   * Entries of keys that no stale entry has: tombstones, and live entries as {@link
   * KeyedRows#STANDING}.
   */
  Dataset<Row> ofKeys(Dataset<Row> keys) {
    KeyExtent extent = KeyExtent.of(key, keys);
    Dataset<Row> candidates =
        keyed.placedEntries(index, snapshot, entryFiles, lit(true)).where(extent.condition());
    if (extent.keys() == 0) {
      return candidates;
    }
    boolean few = extent.keys() <= MOST_BROADCAST_KEYS;
    return candidates
        .join(few ? broadcast(keys) : keys, KeyedRows.keyNames(key), "left_semi")
        .withColumn(
            "kind",
            when(col("kind").equalTo(KeyedRows.ENTRY), KeyedRows.STANDING).otherwise(col("kind")));
  }

  private static Column isStale(Broadcast<StalePlaces> places) {
    return udf(new StalePlacesUdf.IsStale(places), DataTypes.BooleanType)
        .asNonNullable()
        .apply(col("file"), col("position"));
  }

  private static Column named(Set<String> files) {
    return files.size() <= MOST_LISTED_FILES
        ? col(IndexLayout.DATA_FILE).isin(files.toArray())
        : lit(true);
  }
}
