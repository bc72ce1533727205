package io.rowmark.index.purge;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.purge.KeyDeleteTask.Effect;
import io.rowmark.index.purge.PurgeBase.Part;
import io.rowmark.index.purge.PurgeBase.Trust;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.spark.sql.SparkSession;

/**
 * Which live files of a table and of its index hold wanted keys, in rows that are there and in rows
 * that are deleted and still lie in their file.
 *
 * @param data data files that hold one
 * @param dataRead data files whose key columns were read
 * @param dataBytes size of these files
 * @param index index files that hold one
 * @param indexRead index files whose key columns were read
 * @param deletes equality delete files that hold one
 */
public record PurgeSurvey(
    List<FileHits> data,
    int dataRead,
    long dataBytes,
    List<FileHits> index,
    int indexRead,
    List<String> deletes) {
  public PurgeSurvey {
    data = List.copyOf(data);
    index = List.copyOf(index);
    deletes = List.copyOf(deletes);
  }

  /**
   * Looks for the keys; writes nothing.
   *
   * @throws RowmarkException TABLE_STATE when the index and the data files do not agree, or rows
   *     are hidden by a part of the key
   */
  public static PurgeSurvey of(SparkSession spark, PurgeBase base) {
    refuseDeletesByPartOfKey(base.data());
    Part index = base.index();
    Collection<LiveFile> indexFiles = index == null ? List.of() : index.candidates();
    List<FileHits> inIndex = index == null ? List.of() : find(spark, index, indexFiles);
    Collection<LiveFile> dataFiles = dataFiles(base, inIndex);
    List<FileHits> inData = find(spark, base.data(), dataFiles);
    if (base.trust() == Trust.EVERY_LIVE_ROW) {
      checkAgreement(base, inData, inIndex);
    }
    return new PurgeSurvey(
        inData,
        dataFiles.size(),
        dataFiles.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum(),
        inIndex,
        indexFiles.size(),
        keyDeletes(spark, base.data(), Effect.FOUND).stream()
            .map(RewrittenDeletes::location)
            .toList());
  }

  private static List<FileHits> find(SparkSession spark, Part part, Collection<LiveFile> files) {
    return KeyScan.find(spark, part.table(), part.keys(), files, KeyScan.Depth.COUNT);
  }

  /** Files that the index names, and those in which rows are dead; or all, by their bounds. */
  private static Collection<LiveFile> dataFiles(PurgeBase base, List<FileHits> inIndex) {
    Part data = base.data();
    if (base.trust() == Trust.SOME_ROWS) {
      return data.candidates();
    }
    Set<String> named = new HashSet<>();
    inIndex.forEach(hits -> named.addAll(hits.dataFiles()));
    data.live().requireAll(named);
    return data.live().all().stream()
        .filter(
            live ->
                named.contains(live.path())
                    || (!live.deletes().isEmpty() && data.keys().mayBeIn(live.file())))
        .toList();
  }

  private static void checkAgreement(
      PurgeBase base, List<FileHits> inData, List<FileHits> inIndex) {
    long rows = inData.stream().mapToLong(FileHits::live).sum();
    long entries = inIndex.stream().mapToLong(hits -> hits.live() - hits.tombstones()).sum();
    if (rows != entries) {
      throw RowmarkException.tableState(
          "Index %s has %d entries of the given keys, and the data files that it names have %d rows with one. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build', and purge again."
              .formatted(base.requireIndex().table().name(), entries, rows));
    }
  }

  /** Equality deletes that hold keys; those by other columns hold none. */
  static List<RewrittenDeletes> keyDeletes(SparkSession spark, Part data, Effect effect) {
    List<DeleteFile> candidates =
        files(data).equalityDeletes().stream()
            .filter(delete -> SnapshotFiles.holdsWholeKey(delete, data.keys().fieldIds()))
            .filter(data.keys()::mayBeIn)
            .toList();
    return KeyScan.run(
        spark,
        "look for keys in the deletes of " + data.table().name(),
        candidates,
        KeyScan.plan(spark, data.table(), data.keys()),
        plan -> new KeyDeleteTask(plan, effect));
  }

  private static SnapshotFiles files(Part data) {
    return SnapshotFiles.current(data.table(), data.snapshot(), data.keys().fieldIds());
  }

  /** Without such a record, rows of other keys would come back. */
  private static void refuseDeletesByPartOfKey(Part data) {
    for (DeleteFile delete : files(data).equalityDeletes()) {
      if (SnapshotFiles.holdsPartOfKey(delete, data.keys().fieldIds())) {
        throw RowmarkException.tableState(
            "Table %s has equality deletes by a part of its key (%s), for example '%s'. They hold values of the keys and cannot be rewritten one by one. Nothing was changed. Run 'rowmark convert' for the table first."
                .formatted(data.table().name(), data.keys().key().names(), delete.location()));
      }
    }
  }

  /** Whether no live file holds a key. */
  public boolean isEmpty() {
    return data.isEmpty() && index.isEmpty() && deletes.isEmpty();
  }

  /** Rows of the table that have one of the keys; of a history, all versions. */
  public long rows() {
    return data.stream().mapToLong(FileHits::live).sum();
  }

  /** Deleted rows with one of the keys that lie in live data files. */
  public long deadRows() {
    return data.stream().mapToLong(FileHits::dead).sum();
  }

  /** Entries of the index for one of the keys. */
  public long entries() {
    return index.stream().mapToLong(hits -> hits.live() - hits.tombstones()).sum();
  }

  /** Entries of the index that say of one of the keys that it was deleted. */
  public long tombstones() {
    return index.stream().mapToLong(FileHits::tombstones).sum();
  }

  /** Entries with one of the keys that are deleted and lie in live index files. */
  public long deadEntries() {
    return index.stream().mapToLong(FileHits::dead).sum();
  }
}
