package io.rowmark.index.scan;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Small numbers for the live data files of one snapshot. A number goes through the shuffle in place
 * of a path; paths made most of the cost of building an index.
 */
public final class FileNumbers implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Stands for a path that is not live. */
  public static final int UNKNOWN = -1;

  private static final long NO_ROW_IDS = -1;

  private final String[] paths;
  private final long[] firstRowIds;

  private FileNumbers(String[] paths, long[] firstRowIds) {
    this.paths = paths;
    this.firstRowIds = firstRowIds;
  }

  public static FileNumbers of(LiveFiles files) {
    List<LiveFile> sorted =
        files.all().stream().sorted(Comparator.comparing(LiveFile::path)).toList();
    String[] paths = sorted.stream().map(LiveFile::path).toArray(String[]::new);
    long[] firstRowIds = sorted.stream().mapToLong(FileNumbers::firstRowId).toArray();
    return new FileNumbers(paths, firstRowIds);
  }

  private static long firstRowId(LiveFile live) {
    Long first = live.file().firstRowId();
    return first == null ? NO_ROW_IDS : first;
  }

  /** The number of a path, or {@link #UNKNOWN}. */
  public int number(String path) {
    return Math.max(UNKNOWN, Arrays.binarySearch(paths, path));
  }

  public String path(int number) {
    return paths[number];
  }

  public int size() {
    return paths.length;
  }

  /**
   * The id that a row has by its place alone (Iceberg table spec, "Row Lineage"); null where files
   * have no ids: in format version 2, and after an upgrade before the first commit.
   */
  public @Nullable Long idByPlace(int number, long position) {
    long first = firstRowIds[number];
    return first == NO_ROW_IDS ? null : first + position;
  }
}
