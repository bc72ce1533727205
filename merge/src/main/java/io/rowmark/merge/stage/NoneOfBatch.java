package io.rowmark.merge.stage;

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;

/** Refuses a commit on top of a snapshot of the same batch: a batch lands once. */
record NoneOfBatch(String batchId) implements SnapshotAncestryValidator {
  @Override
  public boolean validate(Iterable<Snapshot> ancestors) {
    for (Snapshot snapshot : ancestors) {
      if (BatchMarker.marks(snapshot, batchId)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String errorMessage() {
    return "batch " + batchId + " is in the table already";
  }
}
