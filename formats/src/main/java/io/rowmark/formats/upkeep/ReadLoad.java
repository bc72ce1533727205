package io.rowmark.formats.upkeep;

import io.rowmark.formats.position.LiveFile;
import java.util.Collection;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.util.DeleteFileSet;
import org.apache.iceberg.util.ScanTaskUtil;

/**
 * What one scan of a whole table reads.
 *
 * @param dataFiles opened once each
 * @param dataBytes of the data files
 * @param rows in the data files, dead ones included
 * @param deadRows as far as {@link FileDebt} knows
 * @param deleteFiles vectors and delete files
 * @param deleteBytes of their content
 * @param deleteReads how often a delete file is opened: once for each data file that it applies to
 * @param liveBytes the data bytes that live rows take, by their share of the rows of each file
 */
public record ReadLoad(
    long dataFiles,
    long dataBytes,
    long rows,
    long deadRows,
    long deleteFiles,
    long deleteBytes,
    long deleteReads,
    long liveBytes) {

  public static final ReadLoad NOTHING = new ReadLoad(0, 0, 0, 0, 0, 0, 0, 0);

  /** Of the files of a snapshot, or of some of them. */
  public static ReadLoad of(Collection<LiveFile> files) {
    DeleteFileSet deletes = DeleteFileSet.create();
    long bytes = 0;
    long rows = 0;
    long dead = 0;
    long reads = 0;
    long liveBytes = 0;
    for (LiveFile live : files) {
      FileDebt debt = FileDebt.of(live);
      long size = live.file().fileSizeInBytes();
      bytes += size;
      rows += debt.rows();
      dead += debt.dead();
      reads += live.deletes().size();
      liveBytes += Math.round(size * (1 - debt.share()));
      deletes.addAll(live.deletes());
    }
    return new ReadLoad(
        files.size(),
        bytes,
        rows,
        dead,
        deletes.size(),
        deletes.stream().mapToLong(ReadLoad::bytes).sum(),
        reads,
        liveBytes);
  }

  private static long bytes(DeleteFile delete) {
    return ScanTaskUtil.contentSizeInBytes(delete);
  }

  /** The load of files without deletes. */
  public static ReadLoad clean(long files, long bytes, long rows) {
    return new ReadLoad(files, bytes, rows, 0, 0, 0, 0, bytes);
  }

  /** Of two sets of files that share no delete file. */
  public ReadLoad plus(ReadLoad other) {
    return new ReadLoad(
        dataFiles + other.dataFiles,
        dataBytes + other.dataBytes,
        rows + other.rows,
        deadRows + other.deadRows,
        deleteFiles + other.deleteFiles,
        deleteBytes + other.deleteBytes,
        deleteReads + other.deleteReads,
        liveBytes + other.liveBytes);
  }

  /** Bytes of data and deletes by bytes of live rows; 1 for a table without rows. */
  public double byteAmplification() {
    return liveBytes == 0 ? 1 : (double) (dataBytes + deleteBytes) / liveBytes;
  }

  /** Rows read by live rows; 1 for a table without rows. */
  public double rowAmplification() {
    return rows == deadRows ? 1 : (double) rows / (rows - deadRows);
  }

  /** Files that a scan opens. */
  public long filesOpened() {
    return dataFiles + deleteReads;
  }

  public long liveRows() {
    return rows - deadRows;
  }
}
