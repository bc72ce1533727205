package io.rowmark.index.publish;

import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DeleteFile;

/**
 * A data file whose deletes must be worked out.
 *
 * @param source the file with all deletes that apply to it on the source branch
 * @param existing deletes by position that the target branch has for it; empty for a new file
 */
record PublishItem(LiveFile source, List<DeleteFile> existing) implements Serializable {
  PublishItem {
    existing = List.copyOf(existing);
  }

  /** For a task, which needs no statistics. */
  PublishItem light() {
    return new PublishItem(
        new LiveFile(source.file().copyWithoutStats(), source.deletes()), existing);
  }
}
