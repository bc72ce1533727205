package io.rowmark.merge.maintain;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.rewrite.RewrittenGroup;
import java.util.List;
import org.apache.iceberg.Snapshot;

/**
 * What one commit is to bring.
 *
 * @param read the snapshot that it was worked out from
 * @param groups rewritten and not committed
 * @param dead data files without a live row
 */
record Work(Snapshot read, List<RewrittenGroup> groups, List<LiveFile> dead) {
  Work {
    groups = List.copyOf(groups);
    dead = List.copyOf(dead);
  }

  long filesIn() {
    return dead.size() + groups.stream().mapToLong(one -> one.group().files().size()).sum();
  }

  long filesOut() {
    return groups.stream().mapToLong(one -> one.files().size()).sum();
  }

  long bytesIn() {
    return dead.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum()
        + groups.stream().mapToLong(one -> one.group().bytes()).sum();
  }

  long bytesOut() {
    return groups.stream().mapToLong(RewrittenGroup::bytes).sum();
  }

  long rows() {
    return groups.stream().mapToLong(RewrittenGroup::rows).sum();
  }
}
