package io.rowmark.index.publish;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFiles;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * What the target branch shows already, and so what of the source must be looked at.
 *
 * @param target the target's snapshot; null for a main branch without one
 * @param shown what it shows; null before the first publication
 */
record PublishBase(@Nullable Snapshot target, @Nullable PublishMark shown) {

  /**
   * Judges the target branch.
   *
   * @throws RowmarkException CONFIG when there is no such branch; TABLE_STATE when the target holds
   *     what did not come from the source
   */
  static PublishBase find(Table table, Branches branches) {
    Snapshot source = source(table, branches);
    Snapshot target = table.snapshot(branches.to());
    if (target == null) {
      if (!branches.to().equals(SnapshotRef.MAIN_BRANCH)) {
        throw missing(table, branches.to());
      }
      return new PublishBase(null, null);
    }
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(target.snapshotId(), table::snapshot)) {
      Optional<PublishMark> mark = PublishMark.in(snapshot);
      if (mark.isPresent()) {
        if (!mark.get().branch().equals(branches.from())) {
          throw RowmarkException.config(
              "Branch %s of table %s shows branch %s, not %s. Correct --from-branch, or name another --to-branch."
                  .formatted(branches.to(), table.name(), mark.get().branch(), branches.from()));
        }
        return new PublishBase(target, mark.get());
      }
      if (isIn(table, source, snapshot.snapshotId())) {
        return new PublishBase(target, null);
      }
      if (!isUnchanged(table, snapshot)) {
        break;
      }
    }
    if (LiveFiles.at(table, target).isEmpty()) {
      return new PublishBase(target, null);
    }
    throw foreign(table, branches, target);
  }

  /**
   * @throws RowmarkException CONFIG when there is no such branch
   */
  static Snapshot source(Table table, Branches branches) {
    SnapshotRef ref = table.refs().get(branches.from());
    Snapshot source = table.snapshot(branches.from());
    if (ref == null || !ref.isBranch() || source == null) {
      throw missing(table, branches.from());
    }
    return source;
  }

  /** Rewritten manifests and empty commits move no row. */
  private static boolean isUnchanged(Table table, Snapshot snapshot) {
    SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(snapshot).build();
    return !changes.addedDataFiles().iterator().hasNext()
        && !changes.removedDataFiles().iterator().hasNext()
        && !changes.addedDeleteFiles().iterator().hasNext()
        && !changes.removedDeleteFiles().iterator().hasNext();
  }

  private static boolean isIn(Table table, Snapshot head, long snapshotId) {
    return SnapshotUtil.isAncestorOf(head.snapshotId(), snapshotId, table::snapshot);
  }

  private static RowmarkException missing(Table table, String branch) {
    return RowmarkException.config(
        "Table %s has no branch %s with a snapshot; it has %s. Correct the name, or create it: ALTER TABLE ... CREATE BRANCH %s."
            .formatted(table.name(), branch, table.refs().keySet(), branch));
  }

  private static RowmarkException foreign(Table table, Branches branches, Snapshot target) {
    String mend = "Empty it, or publish to another branch";
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(target.snapshotId(), table::snapshot)) {
      if (PublishMark.in(snapshot).isPresent()) {
        mend =
            "Roll it back to snapshot %d, the last one that was published"
                .formatted(snapshot.snapshotId());
        break;
      }
    }
    return RowmarkException.tableState(
        "Branch %s of table %s holds rows that did not come from branch %s: its snapshot %d (%s) was committed by something else. Nothing was published, since these rows would be lost. %s; compact branch %s instead of %s."
            .formatted(
                branches.to(),
                table.name(),
                branches.from(),
                target.snapshotId(),
                target.operation(),
                mend,
                branches.from(),
                branches.to()));
  }

  /**
   * Why all files must be compared, and not only what came since the last publication; empty if
   * what came since tells everything.
   *
   * @param source the snapshot to be shown
   */
  Optional<String> reasonToCompareAll(Table table, Snapshot source) {
    if (shown == null) {
      return Optional.of("nothing was published yet");
    }
    return isIn(table, source, shown.snapshotId())
        ? Optional.empty()
        : Optional.of(
            "snapshot %d, published last, is not in the history of snapshot %d (rolled back, replaced or expired)"
                .formatted(shown.snapshotId(), source.snapshotId()));
  }

  /** Whether the target shows exactly this snapshot. */
  boolean shows(Snapshot source) {
    return shown != null && shown.snapshotId() == source.snapshotId();
  }

  /** Files that were added up to here were looked at by the last publication. */
  long since() {
    return shown == null ? -1 : shown.sequenceNumber();
  }
}
