package io.rowmark.index;

import java.util.Iterator;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a commit whose parent is not the snapshot that it was made for. Iceberg's own validations
 * look for conflicts of files; some commits state what no later commit may have changed.
 *
 * @param parent null for a branch without a snapshot
 */
public record OnTopOf(@Nullable Long parent) implements SnapshotAncestryValidator {

  /** On top of this snapshot of a table; null for none. */
  public static OnTopOf of(@Nullable Snapshot snapshot) {
    return new OnTopOf(snapshot == null ? null : snapshot.snapshotId());
  }

  /** On top of what the table was at when loaded. */
  public static OnTopOf of(Table table) {
    return of(table.currentSnapshot());
  }

  @Override
  public boolean validate(Iterable<Snapshot> ancestors) {
    Iterator<Snapshot> chain = ancestors.iterator();
    if (!chain.hasNext()) {
      return parent == null;
    }
    return parent != null && chain.next().snapshotId() == parent;
  }

  @Override
  public String errorMessage() {
    return "someone else committed after snapshot " + parent;
  }
}
