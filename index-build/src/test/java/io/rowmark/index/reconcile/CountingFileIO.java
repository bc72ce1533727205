package io.rowmark.index.reconcile;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;

/** Remembers, for all tables of this JVM, which files were asked for. */
public final class CountingFileIO extends HadoopFileIO {
  private static final Set<String> ASKED = new ConcurrentSkipListSet<>();

  @Override
  public InputFile newInputFile(String path) {
    ASKED.add(path);
    return super.newInputFile(path);
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    ASKED.add(path);
    return super.newInputFile(path, length);
  }

  static void forget() {
    ASKED.clear();
  }

  /** Files of a table's data folder: data and delete files. */
  static Set<String> askedUnder(String folder) {
    Set<String> found = new TreeSet<>();
    for (String path : ASKED) {
      if (path.contains(folder)) {
        found.add(path);
      }
    }
    return found;
  }
}
