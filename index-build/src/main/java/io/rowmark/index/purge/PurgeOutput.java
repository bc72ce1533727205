package io.rowmark.index.purge;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.purge.KeyDeleteTask.Effect;
import io.rowmark.index.purge.PurgeBase.Part;
import io.rowmark.index.purge.PurgeBase.Trust;
import io.rowmark.index.purge.RewriteItem.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * Files that were written in the place of those that hold keys; not committed.
 *
 * @param rows one for each data file
 * @param entries one for each index file, those among them that hold no key and name rows which lie
 *     elsewhere now
 * @param deletes one for each equality delete file
 */
public final class PurgeOutput {
  private final PurgeBase base;
  private final List<RewrittenRows> rows;
  private final List<RewrittenEntries> entries;
  private final List<RewrittenDeletes> deletes;

  private PurgeOutput(
      PurgeBase base,
      List<RewrittenRows> rows,
      List<RewrittenEntries> entries,
      List<RewrittenDeletes> deletes) {
    this.base = base;
    this.rows = rows;
    this.entries = entries;
    this.deletes = deletes;
  }

  /**
   * Writes.
   *
   * @param survey of the same base
   * @throws RowmarkException TABLE_STATE when the index does not have an entry for each row that
   *     was written again; then the files are gone
   */
  public static PurgeOutput write(SparkSession spark, PurgeBase base, PurgeSurvey survey) {
    List<RewrittenRows> rows = rows(spark, base.data(), survey);
    PurgeOutput output = new PurgeOutput(base, rows, List.of(), List.of());
    try {
      output =
          new PurgeOutput(
              base,
              rows,
              base.index() == null
                  ? List.of()
                  : entries(spark, base.requireIndex(), survey, moves(rows)),
              survey.deletes().isEmpty()
                  ? List.of()
                  : PurgeSurvey.keyDeletes(spark, base.data(), Effect.WRITTEN_AGAIN));
      output.check();
      return output;
    } catch (RuntimeException e) {
      output.discardData();
      output.discardIndex();
      throw e;
    }
  }

  private static List<RewrittenRows> rows(SparkSession spark, Part data, PurgeSurvey survey) {
    List<RewriteItem> items =
        survey.data().stream()
            .map(hits -> data.live().require(hits.path()))
            .map(live -> RewriteItem.of(data.table(), live, Reason.HOLDS_KEYS))
            .toList();
    return KeyScan.run(
        spark,
        "write data files of %s without keys".formatted(data.table().name()),
        items,
        KeyScan.plan(spark, data.table(), data.keys()),
        RowRewriteTask::new);
  }

  private static HashMap<String, MovedFile> moves(List<RewrittenRows> rows) {
    HashMap<String, MovedFile> moves = new HashMap<>();
    for (RewrittenRows one : rows) {
      if (one.moved().kept().size() > 0) {
        moves.put(one.moved().path(), one.moved());
      }
    }
    return moves;
  }

  private static List<RewrittenEntries> entries(
      SparkSession spark, Part index, PurgeSurvey survey, HashMap<String, MovedFile> moves) {
    Set<String> hit = survey.index().stream().map(FileHits::path).collect(Collectors.toSet());
    List<RewriteItem> items = new ArrayList<>();
    for (LiveFile live : index.live().all()) {
      if (hit.contains(live.path())) {
        items.add(RewriteItem.of(index.table(), live, Reason.HOLDS_KEYS));
      } else if (!moves.isEmpty()) {
        items.add(RewriteItem.of(index.table(), live, Reason.MAY_NAME_MOVED_ROWS));
      }
    }
    Broadcast<HashMap<String, MovedFile>> shared =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(moves);
    try {
      return KeyScan.run(
          spark,
          "write index files of %s without keys".formatted(index.table().name()),
          items,
          KeyScan.plan(spark, index.table(), index.keys()),
          plan -> new EntryRewriteTask(plan, shared));
    } finally {
      shared.unpersist();
    }
  }

  /**
   * Each row that lies elsewhere now must have had an entry; of a history, not every version has.
   */
  private void check() {
    if (base.trust() == Trust.EVERY_LIVE_ROW && entriesMoved() != rowsKept()) {
      throw RowmarkException.tableState(
          "%d rows of table %s were written again, and its index has entries for %d of them. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build', and purge again."
              .formatted(rowsKept(), base.data().table().name(), entriesMoved()));
    }
  }

  List<RewrittenRows> rows() {
    return rows;
  }

  List<RewrittenEntries> entries() {
    return entries;
  }

  List<RewrittenDeletes> deletes() {
    return deletes;
  }

  PurgeBase base() {
    return base;
  }

  /** Rows without a key that were written again, since they shared a file with one. */
  public long rowsKept() {
    return rows.stream().mapToLong(one -> one.moved().kept().size()).sum();
  }

  /** Entries that say now where these rows are. */
  public long entriesMoved() {
    return entries.stream().mapToLong(RewrittenEntries::moved).sum();
  }

  /** Data files that went. */
  public int dataFilesRemoved() {
    return rows.size();
  }

  /** Data files that came. */
  public int dataFilesAdded() {
    return rows.stream().mapToInt(one -> one.added().size()).sum();
  }

  /** Index files that went. */
  public int indexFilesRemoved() {
    return entries.size();
  }

  /** Index files that came. */
  public int indexFilesAdded() {
    return entries.stream().mapToInt(one -> one.added().size()).sum();
  }

  /** Equality delete files that went. */
  public int deleteFilesRemoved() {
    return deletes.size();
  }

  /** Bytes of all files that came. */
  public long bytesWritten() {
    return Stream.concat(
            rows.stream().flatMap(one -> one.added().stream()),
            entries.stream().flatMap(one -> one.added().stream()))
        .mapToLong(DataFile::fileSizeInBytes)
        .sum();
  }

  /** Whether the data table changes. */
  public boolean changesData() {
    return !rows.isEmpty() || !deletes.isEmpty();
  }

  /** Removes what was written for the data table, of which nothing was committed. */
  public void discardData() {
    List<String> paths = new ArrayList<>();
    rows.forEach(one -> one.added().forEach(file -> paths.add(file.location())));
    deletes.forEach(
        one -> {
          if (one.replacement() != null) {
            paths.add(one.replacement().location());
          }
        });
    NewFiles.remove(base.data().table().io(), paths);
  }

  /** Removes what was written for the index, of which nothing was committed. */
  public void discardIndex() {
    if (base.index() != null) {
      NewFiles.remove(
          base.requireIndex().table().io(),
          entries.stream().flatMap(one -> one.added().stream()).map(DataFile::location).toList());
    }
  }
}
