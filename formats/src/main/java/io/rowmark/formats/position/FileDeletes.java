package io.rowmark.formats.position;

import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DeleteFile;

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
}
