package io.rowmark.index.purge;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.purge.KeyDeleteTask.Effect;
import io.rowmark.index.purge.KeyHolder.Kind;
import io.rowmark.index.purge.KeyHolder.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.spark.sql.SparkSession;

/**
 * Looks for keys in every file that any snapshot of a table names: of all branches and tags, dead
 * rows and the values of equality deletes among them. A file is left out only where the bounds of
 * its key columns say that it cannot hold a key.
 */
public final class KeyProof {
  private final SparkSession spark;
  private final Table table;
  private final WantedKeys keys;
  private final SnapshotFiles all;
  private final SnapshotFiles live;

  /** Which files are looked into. */
  public enum Scope {
    EVERY_FILE,
    /** Those that the table as it is does not name; the others are known. */
    RETAINED_FILES
  }

  private KeyProof(SparkSession spark, Table table, WantedKeys keys) {
    this.spark = spark;
    this.table = table;
    this.keys = keys;
    List<Snapshot> snapshots = new ArrayList<>();
    table.snapshots().forEach(snapshots::add);
    this.all = SnapshotFiles.of(table, snapshots, keys.fieldIds());
    this.live = SnapshotFiles.current(table, table.currentSnapshot(), Set.of());
  }

  /**
   * Searches.
   *
   * @param table data table or index, as loaded
   * @param keys in the columns of this table
   */
  public static TableProof of(SparkSession spark, Table table, WantedKeys keys, Scope scope) {
    return new KeyProof(spark, table, keys).search(scope);
  }

  private TableProof search(Scope scope) {
    List<LiveFile> rows = new ArrayList<>();
    all.dataFiles().stream()
        .filter(file -> isMeant(file, scope) && keys.mayBeIn(file))
        .forEach(file -> rows.add(new LiveFile(file, List.of())));
    List<DeleteFile> deletes = new ArrayList<>();
    List<KeyHolder> holders = new ArrayList<>();
    List<String> gaps = otherColumns();
    for (DeleteFile file : all.deleteFiles()) {
      if (!isMeant(file, scope)) {
        continue;
      }
      if (file.content() == FileContent.EQUALITY_DELETES) {
        if (SnapshotFiles.holdsPartOfKey(file, keys.fieldIds())) {
          gaps.add(
              "equality delete file '%s' names rows by a part of the key, which is no whole key to compare"
                  .formatted(file.location()));
        } else if (SnapshotFiles.holdsWholeKey(file, keys.fieldIds()) && keys.mayBeIn(file)) {
          deletes.add(file);
        }
      } else if (holdsRows(file)) {
        holders.add(holder(Kind.POSITION_DELETES_WITH_ROWS, file.location()));
      }
    }
    KeyScan.find(spark, table, keys, rows, KeyScan.Depth.EXISTENCE)
        .forEach(hits -> holders.add(holder(Kind.ROWS, hits.path())));
    List<RewrittenDeletes> inDeletes =
        KeyScan.run(
            spark,
            "look for keys in the deletes of " + table.name(),
            deletes,
            KeyScan.plan(spark, table, keys),
            plan -> new KeyDeleteTask(plan, Effect.FOUND));
    inDeletes.forEach(one -> holders.add(holder(Kind.EQUALITY_DELETES, one.location())));
    holders.sort(
        Comparator.comparing(KeyHolder::state)
            .thenComparing(KeyHolder::kind)
            .thenComparing(KeyHolder::location));
    return new TableProof(
        table.name(),
        snapshots().size(),
        all.size(),
        rows.size() + deletes.size(),
        bytes(rows.stream().map(LiveFile::file).toList()) + bytes(deletes),
        holders,
        gaps);
  }

  private boolean isMeant(ContentFile<?> file, Scope scope) {
    return scope == Scope.EVERY_FILE || !live.has(file.location());
  }

  private static long bytes(List<? extends ContentFile<?>> files) {
    return files.stream().mapToLong(ContentFile::fileSizeInBytes).sum();
  }

  private List<Snapshot> snapshots() {
    List<Snapshot> snapshots = new ArrayList<>();
    table.snapshots().forEach(snapshots::add);
    return snapshots;
  }

  /** Rows beside positions have the field ids of the table's columns. */
  private boolean holdsRows(DeleteFile delete) {
    Map<Integer, Long> counts = delete.valueCounts();
    return !ContentFileUtil.isDV(delete)
        && counts != null
        && keys.fieldIds().stream().anyMatch(counts::containsKey);
  }

  /** Snapshots from before a key column was there, or from another key, tell nothing of keys. */
  private List<String> otherColumns() {
    List<String> gaps = new ArrayList<>();
    for (Snapshot snapshot : snapshots()) {
      Integer schemaId = snapshot.schemaId();
      Schema schema = schemaId == null ? null : table.schemas().get(schemaId);
      if (schema != null && keys.fieldIds().stream().anyMatch(id -> schema.findField(id) == null)) {
        gaps.add(
            "snapshot %d was written without one of the key columns %s"
                .formatted(snapshot.snapshotId(), keys.key().names()));
      }
    }
    return gaps;
  }

  private KeyHolder holder(Kind kind, String location) {
    Set<Long> snapshots = all.snapshots(location);
    List<String> refs =
        table.refs().entrySet().stream()
            .filter(ref -> snapshots.contains(ref.getValue().snapshotId()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return new KeyHolder(
        table.name(),
        kind,
        live.has(location) ? State.LIVE : State.RETAINED,
        location,
        List.copyOf(snapshots),
        refs);
  }
}
