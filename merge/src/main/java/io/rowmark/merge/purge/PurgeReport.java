package io.rowmark.merge.purge;

import io.rowmark.index.purge.KeyHolder;
import io.rowmark.index.purge.PurgeSurvey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a purge found and did; without key values.
 *
 * @param index null for a table without one
 * @param keys different keys that were asked for
 * @param found in live files, before anything was written
 * @param done null for a dry run, and where nothing was found
 * @param retained files that still hold a key and must go with the snapshots that name them; empty
 *     for a dry run
 * @param gaps what could not be looked into
 * @param elsewhere places out of reach that may hold the keys
 * @param notes what was done beforehand: an index that was brought up to date
 */
public record PurgeReport(
    String table,
    @Nullable String index,
    int keys,
    Found found,
    @Nullable Done done,
    List<KeyHolder> retained,
    List<String> gaps,
    List<String> elsewhere,
    List<String> notes,
    long millis) {

  public PurgeReport {
    retained = List.copyOf(retained);
    gaps = List.copyOf(gaps);
    elsewhere = List.copyOf(elsewhere);
    notes = List.copyOf(notes);
  }

  /**
   * Where the keys lie in live files.
   *
   * @param filesRead data files whose key columns were read
   * @param bytesRead size of these
   * @param dataFiles that hold a key
   * @param rows live rows
   * @param deadRows deleted rows that still lie in a live data file
   * @param deleteFiles equality delete files that hold a key
   * @param indexFilesRead index files whose key columns were read
   * @param indexFiles that hold a key
   * @param entries of rows
   * @param tombstones entries that remember that a key was deleted
   * @param deadEntries deleted entries that still lie in a live index file
   */
  public record Found(
      int filesRead,
      long bytesRead,
      int dataFiles,
      long rows,
      long deadRows,
      int deleteFiles,
      int indexFilesRead,
      int indexFiles,
      long entries,
      long tombstones,
      long deadEntries) {
    static Found of(PurgeSurvey survey) {
      return new Found(
          survey.dataRead(),
          survey.dataBytes(),
          survey.data().size(),
          survey.rows(),
          survey.deadRows(),
          survey.deletes().size(),
          survey.indexRead(),
          survey.index().size(),
          survey.entries(),
          survey.tombstones(),
          survey.deadEntries());
    }

    public boolean isEmpty() {
      return dataFiles == 0 && deleteFiles == 0 && indexFiles == 0;
    }
  }

  /**
   * What was committed.
   *
   * @param id in the summary of each new snapshot, as {@code rowmark.batch-id}
   * @param protocol how data table and index were committed
   * @param attempts how often the work was done; more than 1 if others committed meanwhile
   * @param dataFilesRemoved data files that went
   * @param dataFilesAdded data files that took their place
   * @param rowsKept rows without a key that were written again, since they shared a file with one
   * @param indexFilesRemoved index files that went: those that held a key or named a row that was
   *     written again
   * @param deleteFilesRemoved equality delete files that went or were written again
   * @param dataSnapshot the data table's snapshot afterwards
   * @param indexSnapshot the index's; null for a table without one
   */
  public record Done(
      String id,
      String protocol,
      int attempts,
      int dataFilesRemoved,
      int dataFilesAdded,
      long rowsKept,
      int indexFilesRemoved,
      int indexFilesAdded,
      long entriesMoved,
      int deleteFilesRemoved,
      long bytesWritten,
      @Nullable Long dataSnapshot,
      @Nullable Long indexSnapshot) {}
}
