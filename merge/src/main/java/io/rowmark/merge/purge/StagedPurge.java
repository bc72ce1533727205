package io.rowmark.merge.purge;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.index.purge.PurgeChange;
import io.rowmark.index.purge.PurgeOutput;
import io.rowmark.merge.purge.PurgeReport.Done;
import io.rowmark.merge.stage.BatchMarker;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The uncommitted changes of a purge.
 *
 * @param id mark of its snapshots. Nothing of it comes from the keys: a digest of an address can be
 *     guessed
 * @param index null for a table without one
 */
record StagedPurge(String id, PurgeOutput output, StagedChange data, @Nullable StagedChange index) {

  /** Writes manifests; commits nothing. */
  static StagedPurge of(PurgeTarget target, PurgeOutput output, String pipeline, String id) {
    PurgeChange change = new PurgeChange(output, BatchMarker.summary(pipeline, id));
    change.stageData(target.data());
    StagedChange data =
        staged(target.names().data(), target.data(), target.base().data().snapshot());
    BaseTransaction index = target.index();
    if (index == null) {
      return new StagedPurge(id, output, data, null);
    }
    change.stageIndex(
        index,
        IndexCoverage.of(
            target.base().data().table().uuid(),
            data.snapshotIdAfter(),
            target.key().fingerprint(),
            target.truncatedAt()));
    return new StagedPurge(
        id,
        output,
        data,
        staged(target.names().index(), index, target.base().requireIndex().snapshot()));
  }

  private static StagedChange staged(
      TableIdentifier name, BaseTransaction transaction, @Nullable Snapshot base) {
    boolean changes = transaction.startMetadata() != transaction.currentMetadata();
    return new StagedChange(
        name,
        transaction,
        base,
        changes
            ? SnapshotUtil.latestSnapshot(transaction.currentMetadata(), SnapshotRef.MAIN_BRANCH)
            : null);
  }

  /** What is to be committed, the data table first. */
  List<StagedChange> changes() {
    return Stream.concat(Stream.of(data), Stream.ofNullable(index))
        .filter(StagedChange::changes)
        .toList();
  }

  /** Removes the files of changes that the catalog refused. */
  void discard(List<StagedChange> refused) {
    if (refused.contains(data)) {
      output.discardData();
    }
    if (index != null && refused.contains(index)) {
      output.discardIndex();
    }
  }

  Done done(String protocol, int attempts) {
    return new Done(
        id,
        protocol,
        attempts,
        output.dataFilesRemoved(),
        output.dataFilesAdded(),
        output.rowsKept(),
        output.indexFilesRemoved(),
        output.indexFilesAdded(),
        output.entriesMoved(),
        output.deleteFilesRemoved(),
        output.bytesWritten(),
        data.snapshotIdAfter(),
        index == null ? null : index.snapshotIdAfter());
  }
}
