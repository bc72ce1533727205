package io.rowmark.index.rewrite;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * A change of a data table that moves rows and changes none: dead files go, groups are replaced,
 * and delete files go that no data file needs any more.
 *
 * @param base what it is made for; nothing else may be committed in between
 * @param snapshot the one that it brings
 * @param deleteFilesRemoved vectors and delete files that go
 */
public record StagedRewrite(
    BaseTransaction transaction, Snapshot base, Snapshot snapshot, int deleteFilesRemoved) {
  private static final String MARK = "rowmark.maintain";

  /**
   * Stages on a snapshot of the table as loaded.
   *
   * @param read the snapshot that the groups were read at: deletes by key that came later go on
   *     applying to the moved rows
   * @param groups standing at {@code live}
   * @param dead live files without a live row
   * @param live files of the table's current snapshot
   * @return empty when nothing is to go
   * @throws ValidationException when a file has got deletes since it was read, or is gone
   */
  public static Optional<StagedRewrite> stage(
      Table table,
      Snapshot read,
      List<RewrittenGroup> groups,
      List<LiveFile> dead,
      LiveFiles live) {
    BaseTransaction transaction = (BaseTransaction) table.newTransaction();
    Snapshot base = transaction.startMetadata().currentSnapshot();
    if (base == null
        || table.currentSnapshot() == null
        || base.snapshotId() != table.currentSnapshot().snapshotId()) {
      throw new ValidationException("someone else committed after the table was loaded");
    }
    List<LiveFile> removed = new ArrayList<>(dead);
    groups.forEach(group -> removed.addAll(group.group().files()));
    List<DeleteFile> deletes = NeedlessDeletes.of(table, base, kept(live, removed));
    if (removed.isEmpty() && deletes.isEmpty()) {
      return Optional.empty();
    }
    RewriteFiles rewrite = transaction.newRewrite();
    removed.forEach(file -> rewrite.deleteFile(file.file()));
    deletes.forEach(rewrite::deleteFile);
    groups.forEach(group -> group.files().forEach(rewrite::addFile));
    if (groups.stream().anyMatch(group -> !group.files().isEmpty())) {
      rewrite.dataSequenceNumber(read.sequenceNumber());
    }
    rewrite.validateFromSnapshot(read.snapshotId());
    rewrite.set(MARK, groups.isEmpty() ? "dropped dead data files" : "rewrote data files");
    rewrite.commit();
    Snapshot snapshot =
        SnapshotUtil.latestSnapshot(transaction.currentMetadata(), SnapshotRef.MAIN_BRANCH);
    return Optional.of(new StagedRewrite(transaction, base, snapshot, deletes.size()));
  }

  private static List<LiveFile> kept(LiveFiles live, List<LiveFile> removed) {
    Set<String> paths = new HashSet<>();
    removed.forEach(file -> paths.add(file.path()));
    return live.all().stream().filter(file -> !paths.contains(file.path())).toList();
  }

  /** The table as it will be, for reading; a transaction's own table cannot be scanned. */
  public Table after() {
    Table inside = transaction.table();
    return new BaseTable(((HasTableOperations) inside).operations(), inside.name());
  }
}
