package io.rowmark.formats.position;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;

/**
 * What to commit so that some rows of one data file are gone.
 *
 * @param dataFile path of the data file
 * @param fate whether live rows remain
 * @param added delete files to add; empty when the file is emptied
 * @param replaced delete files that the added ones make superfluous
 * @param newlyDeleted rows that this change deletes
 * @param deletedInAll rows of the file that are deleted afterwards
 */
public record FileDeletes(
    String dataFile,
    Fate fate,
    List<DeleteFile> added,
    List<DeleteFile> replaced,
    long newlyDeleted,
    long deletedInAll)
    implements Serializable {

  /** What becomes of the data file. */
  public enum Fate {
    /** It stays, with rows masked. */
    MASKED,
    /** No live row is left: the file itself is removed from the table. */
    EMPTIED
  }

  public FileDeletes {
    added = List.copyOf(added);
    replaced = List.copyOf(replaced);
  }

  /**
   * Puts deletes into a change of their table, with the checks that the files that they were
   * written for are still there.
   *
   * @param live gives a data file by its path
   */
  public static void put(
      RowDelta delta, Collection<FileDeletes> all, Function<String, LiveFile> live) {
    List<String> masked = new ArrayList<>();
    for (FileDeletes deletes : all) {
      deletes.added().forEach(delta::addDeletes);
      deletes.replaced().forEach(delta::removeDeletes);
      switch (deletes.fate()) {
        // that it is still there is checked by validateDeletedFiles
        case EMPTIED -> delta.removeRows(live.apply(deletes.dataFile()).file());
        case MASKED -> masked.add(deletes.dataFile());
      }
    }
    if (!masked.isEmpty()) {
      delta.validateDataFilesExist(masked);
    }
    delta.validateDeletedFiles();
  }
}
