package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.reconcile.ReconcileReport.Basis;
import org.apache.iceberg.util.DeleteFileSet;

/** Counts over the commits of one run. */
final class CatchUpTotals {
  private Basis basis = Basis.COVERED_SNAPSHOT;
  private int filesVanished;
  private int filesRead;
  private int filesMasked;
  private long entriesBefore = -1;
  private long rowsRead;
  private long dropped;
  private long added;
  private long tombstones;
  private long bytes;
  private int commits;
  private long indexSnapshot;

  void begin(Basis found, FileSetDiff diff, IndexDelta delta) {
    basis = found;
    filesVanished = diff.vanished().size();
    filesRead = diff.toRead().size();
    filesMasked = diff.masked().size() + diff.erased().size();
    if (entriesBefore < 0) {
      entriesBefore = entries(delta.live());
    }
  }

  /** Entries of an index, tombstones too: each of its deletes belongs to one of its files. */
  private static long entries(LiveFiles index) {
    DeleteFileSet deletes = DeleteFileSet.create();
    for (LiveFile file : index.all()) {
      deletes.addAll(file.positionalDeletes());
    }
    return index.recordCount() - deletes.stream().mapToLong(file -> file.recordCount()).sum();
  }

  void add(long rows, Written written, long snapshot) {
    rowsRead += rows;
    dropped += written.merged().dropped();
    added += written.merged().added();
    tombstones += written.merged().tombstones();
    bytes += written.bytes();
    commits++;
    indexSnapshot = snapshot;
  }

  ReconcileReport report(String reason, CatchUp run, long millis) {
    return new ReconcileReport(
        basis,
        reason,
        filesVanished,
        filesRead,
        filesMasked,
        rowsRead,
        dropped,
        added,
        tombstones,
        Math.max(0, entriesBefore - dropped),
        bytes,
        run.covered(),
        indexSnapshot,
        millis,
        commits,
        run.removed());
  }
}
