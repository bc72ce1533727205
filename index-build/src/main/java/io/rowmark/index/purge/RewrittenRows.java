package io.rowmark.index.purge;

import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;

/**
 * What took the place of a data file that held keys.
 *
 * @param added none if no row stays
 * @param purged live rows that are gone
 */
record RewrittenRows(MovedFile moved, List<DataFile> added, long purged) implements Serializable {
  RewrittenRows {
    added = List.copyOf(added);
  }
}
