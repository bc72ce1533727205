package io.rowmark.index.write;

import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delete files of an attempt that is known not to have landed. */
public final class RefusedDeletes {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedDeletes.class);

  private RefusedDeletes() {}

  /** Removes what can be removed; what cannot is left for orphan removal, with a warning. */
  public static void remove(FileIO io, List<DeleteFile> files) {
    for (DeleteFile file : files) {
      try {
        io.deleteFile(file.location());
      } catch (RuntimeException e) {
        LOG.warn("A file of a refused attempt could not be removed: {}", file.location(), e);
      }
    }
  }
}
