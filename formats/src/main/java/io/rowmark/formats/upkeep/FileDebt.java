package io.rowmark.formats.upkeep;

import io.rowmark.formats.position.LiveFile;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * How many rows of a data file are dead, as its manifests tell without opening a file.
 *
 * <p>A vector, or one position delete file that names no other data file, tells exactly. Several
 * such files may overlap, so their sum is a guess. Equality deletes and position deletes that span
 * files say nothing and count as none.
 *
 * @param rows in the file, dead ones included
 * @param dead at most {@code rows}
 */
public record FileDebt(long rows, long dead, Certainty certainty) {

  /** Whether the number of dead rows is known. */
  public enum Certainty {
    EXACT,
    GUESSED
  }

  public static FileDebt of(LiveFile live) {
    List<DeleteFile> own = live.deletes().stream().filter(ContentFileUtil::isFileScoped).toList();
    long rows = live.file().recordCount();
    long dead = Math.min(rows, own.stream().mapToLong(DeleteFile::recordCount).sum());
    boolean exact = live.deletes().size() == own.size() && own.size() <= 1;
    return new FileDebt(rows, dead, exact ? Certainty.EXACT : Certainty.GUESSED);
  }

  /** Dead rows by rows, from 0 to 1; 0 for a file without rows. */
  public double share() {
    return rows == 0 ? 0 : (double) dead / rows;
  }

  /** Whether the file surely has no live row. */
  public boolean isDead() {
    return certainty == Certainty.EXACT && dead == rows;
  }
}
