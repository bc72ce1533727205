package io.rowmark.index.purge;

import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;

/**
 * What took the place of an index file.
 *
 * @param path the former file
 * @param added none if no entry stays
 * @param purged entries of rows with one of the keys
 * @param tombstones entries that said of one of the keys that it was deleted
 * @param moved entries whose row lies elsewhere now
 */
record RewrittenEntries(String path, List<DataFile> added, long purged, long tombstones, long moved)
    implements Serializable {
  RewrittenEntries {
    added = List.copyOf(added);
  }
}
