package io.rowmark.index.purge;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of a data file are that was written again.
 *
 * @param path the former file
 * @param firstRowId of the former file; null if its rows have no ids by their place
 * @param kept rows that were written
 * @param paths the new files, in the order in which rows were written
 * @param firsts how many kept rows lie before each new file
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MovedFile(
    String path, @Nullable Long firstRowId, KeptRuns kept, List<String> paths, long[] firsts)
    implements Serializable {

  /** A place in a new file. */
  record NewPlace(String path, long position) {}

  static MovedFile of(String path, @Nullable Long firstRowId, KeptRuns kept, List<DataFile> files) {
    long[] firsts = new long[files.size()];
    long rows = 0;
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = rows;
      rows += files.get(i).recordCount();
    }
    if (rows != kept.size()) {
      throw new IllegalStateException(
          "%d rows of data file %s were kept and %d written".formatted(kept.size(), path, rows));
    }
    return new MovedFile(
        path, firstRowId, kept, files.stream().map(DataFile::location).toList(), firsts);
  }

  /** Where a row is now; null if it was not kept. */
  @Nullable NewPlace place(long position) {
    long ordinal = kept.ordinal(position);
    if (ordinal < 0) {
      return null;
    }
    int found = Arrays.binarySearch(firsts, ordinal);
    int file = found >= 0 ? found : -found - 2;
    return new NewPlace(paths.get(file), ordinal - firsts[file]);
  }
}
