package io.rowmark.index.purge;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.position.LiveFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RewriteManifests;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * Puts what a purge wrote into transactions of the data table and of the index, begun at the base
 * that the purge looked at; commits nothing.
 */
public final class PurgeChange {
  private final PurgeOutput output;
  private final Map<String, String> mark;

  /**
   * @param mark for the summary of every snapshot
   */
  public PurgeChange(PurgeOutput output, Map<String, String> mark) {
    this.output = output;
    this.mark = mark;
  }

  /** Changes the data table. A transaction to which nothing is to be done is left as it is. */
  public void stageData(Transaction transaction) {
    if (!output.changesData()) {
      return;
    }
    PurgeBase.Part data = output.base().data();
    Snapshot base = Objects.requireNonNull(data.snapshot());
    Map<String, DeleteFile> keyDeletes = new HashMap<>();
    SnapshotFiles.current(data.table(), base, data.keys().fieldIds())
        .equalityDeletes()
        .forEach(delete -> keyDeletes.put(delete.location(), delete));
    stageRows(transaction, data, base, keyDeletes);
    stageKeyDeletes(transaction, keyDeletes);
    dropFormerEntries(transaction, Map.of());
  }

  private void stageRows(
      Transaction transaction,
      PurgeBase.Part data,
      Snapshot base,
      Map<String, DeleteFile> keyDeletes) {
    DeleteFileSet superfluous = DeleteFileSet.create();
    for (RewrittenDeletes one : output.deletes()) {
      if (one.replacement() == null) {
        superfluous.add(Objects.requireNonNull(keyDeletes.get(one.location())));
      }
    }
    if (output.rows().isEmpty() && superfluous.isEmpty()) {
      // a transaction takes no other change after one that was begun and not made
      return;
    }
    RowDelta delta = transaction.newRowDelta();
    for (RewrittenRows one : output.rows()) {
      LiveFile former = data.live().require(one.moved().path());
      one.added().forEach(delta::addRows);
      delta.removeRows(former.file());
      former.positionalDeletes().stream()
          .filter(ContentFileUtil::isFileScoped)
          .forEach(superfluous::add);
    }
    superfluous.forEach(delta::removeDeletes);
    delta.validateFromSnapshot(base.snapshotId());
    delta.validateDeletedFiles();
    delta.validateNoConflictingDeleteFiles();
    delta.validateNoConflictingDataFiles();
    commit(delta);
  }

  /**
   * What is left of an equality delete file applies to the same rows as before: it keeps its data
   * sequence number (Iceberg table spec, "Scan Planning"). No row of a purged key is left for it.
   */
  private void stageKeyDeletes(Transaction transaction, Map<String, DeleteFile> keyDeletes) {
    if (output.deletes().stream().allMatch(one -> one.replacement() == null)) {
      return;
    }
    RewriteFiles rewrite = transaction.newRewrite();
    for (RewrittenDeletes one : output.deletes()) {
      DeleteFile replacement = one.replacement();
      if (replacement != null) {
        DeleteFile former = Objects.requireNonNull(keyDeletes.get(one.location()));
        rewrite.deleteFile(former);
        rewrite.addFile(replacement, Objects.requireNonNull(former.dataSequenceNumber()));
      }
    }
    commit(rewrite);
  }

  /**
   * Changes the index, or just lets it claim that it covers the data table as it will be.
   *
   * @param coverage with the data table's snapshot after the purge
   */
  public void stageIndex(Transaction transaction, IndexCoverage coverage) {
    PurgeBase.Part index = output.base().requireIndex();
    RowDelta delta = transaction.newRowDelta();
    DeleteFileSet superfluous = DeleteFileSet.create();
    for (RewrittenEntries one : output.entries()) {
      LiveFile former = index.live().require(one.path());
      one.added().forEach(delta::addRows);
      delta.removeRows(former.file());
      former.positionalDeletes().stream()
          .filter(ContentFileUtil::isFileScoped)
          .forEach(superfluous::add);
    }
    superfluous.forEach(delta::removeDeletes);
    if (index.snapshot() != null) {
      delta.validateFromSnapshot(index.snapshot().snapshotId());
    }
    delta.validateDeletedFiles();
    delta.validateNoConflictingDeleteFiles();
    delta.validateNoConflictingDataFiles();
    coverage.toSummary().forEach(delta::set);
    commit(delta);
    if (!output.entries().isEmpty()) {
      // the newest snapshot claims, too: all before it are to be expired
      dropFormerEntries(transaction, coverage.toSummary());
    }
  }

  /**
   * A manifest goes on naming the files that a commit took out, with the least and greatest values
   * of their columns, as long as other files of it are live. Those values may be keys.
   */
  private void dropFormerEntries(Transaction transaction, Map<String, String> summary) {
    RewriteManifests rewrite =
        transaction
            .rewriteManifests()
            .rewriteIf(ManifestFile::hasDeletedFiles)
            .clusterBy(file -> file.specId());
    summary.forEach(rewrite::set);
    commit(rewrite);
  }

  private void commit(SnapshotUpdate<?> update) {
    mark.forEach(update::set);
    update.commit();
  }
}
