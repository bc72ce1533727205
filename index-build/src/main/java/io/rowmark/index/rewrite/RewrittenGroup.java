package io.rowmark.index.rewrite;

import io.rowmark.formats.index.FileState;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;

/**
 * A group and the files that its live rows were written to, which nothing refers to yet.
 *
 * @param rows that were written
 */
public record RewrittenGroup(FileGroup group, List<DataFile> files, long rows) {
  public RewrittenGroup {
    files = List.copyOf(files);
  }

  /** Whether the group's files have the same live rows in a later snapshot. */
  public boolean stands(LiveFiles now) {
    for (LiveFile then : group.files()) {
      Optional<LiveFile> live = now.find(then.path());
      if (live.isEmpty() || !FileState.of(live.get()).equals(FileState.of(then))) {
        return false;
      }
    }
    return true;
  }

  /** Bytes that were written. */
  public long bytes() {
    return files.stream().mapToLong(DataFile::fileSizeInBytes).sum();
  }
}
