package io.rowmark.index.rewrite;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.upkeep.FileDebt;
import io.rowmark.formats.upkeep.ReadLoad;
import java.util.List;

/**
 * Data files of one partition that become fewer files. Files of former specs, of whatever
 * partition, are one group and come under the table's current spec.
 *
 * @param number tells groups of one plan apart
 * @param outputs files that are to come of them
 * @param largest size at which a file ends, in bytes; somewhat more than the target, so that no
 *     small remainder is left
 */
public record FileGroup(int number, List<LiveFile> files, int outputs, long largest) {
  public FileGroup {
    files = List.copyOf(files);
  }

  /** Bytes of the files, dead rows included. */
  public long bytes() {
    return files.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum();
  }

  /** What is read of the group's rows once it is rewritten, if bytes go as rows go. */
  public ReadLoad predicted() {
    ReadLoad now = ReadLoad.of(files);
    return now.liveRows() == 0
        ? ReadLoad.NOTHING
        : ReadLoad.clean(outputs, now.liveBytes(), now.liveRows());
  }

  /** Rows that will be written; -1 where manifests do not tell. */
  long knownRows() {
    long rows = 0;
    for (LiveFile live : files) {
      FileDebt debt = FileDebt.of(live);
      if (debt.certainty() == FileDebt.Certainty.GUESSED) {
        return -1;
      }
      rows += debt.rows() - debt.dead();
    }
    return rows;
  }
}
