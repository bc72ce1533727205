package io.rowmark.index.publish;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/** The snapshots of source branches that other branches show, see {@link BranchPublisher}. */
public final class ShownSnapshots {
  private ShownSnapshots() {}

  /** The snapshot that each branch shows, by the branch; without those that show none. */
  public static Map<String, Long> of(Table table) {
    Map<String, Long> shown = new LinkedHashMap<>();
    for (Map.Entry<String, SnapshotRef> ref : table.refs().entrySet()) {
      if (ref.getValue().isBranch()) {
        for (Snapshot snapshot :
            SnapshotUtil.ancestorsOf(ref.getValue().snapshotId(), table::snapshot)) {
          Optional<PublishMark> mark = PublishMark.in(snapshot);
          if (mark.isPresent()) {
            shown.put(ref.getKey(), mark.get().snapshotId());
            break;
          }
        }
      }
    }
    return shown;
  }
}
