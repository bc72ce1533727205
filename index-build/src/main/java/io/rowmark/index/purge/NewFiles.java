package io.rowmark.index.purge;

import java.util.List;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that no commit names. */
final class NewFiles {
  private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

  private NewFiles() {}

  /** Removes what can be removed; what cannot is left for orphan removal, with a warning. */
  static void remove(FileIO io, List<String> paths) {
    for (String path : paths) {
      try {
        io.deleteFile(path);
      } catch (RuntimeException e) {
        LOG.warn("A file of a refused attempt could not be removed: {}", path, e);
      }
    }
  }
}
