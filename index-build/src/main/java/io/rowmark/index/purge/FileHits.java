package io.rowmark.index.purge;

import java.io.Serializable;
import java.util.Set;

/**
 * Where wanted keys lie in one file.
 *
 * @param path of the file
 * @param live rows with one of the keys that no delete hides
 * @param dead rows with one of the keys that are deleted and still lie there
 * @param tombstones of the live rows, those of an index that say of a key that it is deleted
 * @param dataFiles in an index: the data files that live entries of the keys name
 */
public record FileHits(String path, long live, long dead, long tombstones, Set<String> dataFiles)
    implements Serializable {
  public FileHits {
    dataFiles = Set.copyOf(dataFiles);
  }

  /** Rows in the file that hold a key. */
  public long all() {
    return live + dead;
  }
}
