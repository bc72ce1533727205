package io.rowmark.index.publish;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.FileDeletes.Fate;
import io.rowmark.index.OnTopOf;
import java.util.List;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Transaction;

/**
 * The change of the target branch.
 *
 * @param written deletes of the plan's items
 */
record PublishCommit(PublishPlan plan, List<FileDeletes> written) {

  /** Puts the change into a transaction. */
  void stage(Transaction transaction, PublishBase base, Branches branches, PublishMark mark) {
    RowDelta delta = transaction.newRowDelta().toBranch(branches.to());
    plan.plain().forEach(delta::addRows);
    for (FileDeletes deletes : written) {
      DataFile added = plan.newFiles().get(deletes.dataFile());
      if (deletes.fate() == Fate.EMPTIED) {
        if (added == null) {
          delta.removeRows(Objects.requireNonNull(plan.known().get(deletes.dataFile())));
        }
      } else if (added != null) {
        delta.addRows(added);
      }
      deletes.added().forEach(delta::addDeletes);
      deletes.replaced().forEach(delta::removeDeletes);
    }
    plan.gone().forEach(delta::removeRows);
    plan.superfluous().forEach(delta::removeDeletes);
    mark.toSummary().forEach(delta::set);
    Snapshot target = base.target();
    if (target != null) {
      delta.validateFromSnapshot(target.snapshotId());
    }
    delta.validateDeletedFiles();
    delta.validateWith(OnTopOf.of(target));
    delta.commit();
  }

  List<DeleteFile> added() {
    return written.stream().flatMap(deletes -> deletes.added().stream()).toList();
  }

  int filesAdded() {
    return plan.plain().size()
        + (int) written.stream().filter(one -> isNew(one, Fate.MASKED)).count();
  }

  int filesRemoved() {
    long emptied =
        written.stream()
            .filter(
                one -> one.fate() == Fate.EMPTIED && !plan.newFiles().containsKey(one.dataFile()))
            .count();
    return plan.gone().size() + (int) emptied;
  }

  int filesMasked() {
    return (int) written.stream().filter(one -> !one.added().isEmpty()).count();
  }

  long rowsHidden() {
    return written.stream()
        .filter(one -> !isNew(one, Fate.EMPTIED))
        .mapToLong(FileDeletes::newlyDeleted)
        .sum();
  }

  private boolean isNew(FileDeletes deletes, Fate fate) {
    return deletes.fate() == fate && plan.newFiles().containsKey(deletes.dataFile());
  }
}
