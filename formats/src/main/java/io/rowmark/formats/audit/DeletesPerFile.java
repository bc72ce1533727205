package io.rowmark.formats.audit;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.List;

/**
 * How many delete files a reader must apply to a data file, by the scope and sequence rules of the
 * table spec; a reader may leave some out whose column bounds do not meet those of the data file.
 *
 * @param max the most for one data file
 * @param buckets how many data files have how many, ascending; empty buckets are left out
 * @param reaches how far each kind and scope in the snapshot reaches
 */
public record DeletesPerFile(long max, List<Bucket> buckets, List<Reach> reaches) {

  /**
   * @param from smallest number of delete files
   * @param to largest number
   * @param dataFiles data files with {@code from} to {@code to} delete files
   */
  public record Bucket(long from, long to, long dataFiles) {}

  /**
   * @param dataFiles data files to which at least one such delete file applies
   */
  public record Reach(DeleteFormat kind, DeleteScope scope, long dataFiles) {}

  public DeletesPerFile {
    buckets = List.copyOf(buckets);
    reaches = List.copyOf(reaches);
  }

  /** Data files to which deletes of a kind and scope apply. */
  public long dataFiles(DeleteFormat kind, DeleteScope scope) {
    return reaches.stream()
        .filter(reach -> reach.kind() == kind && reach.scope() == scope)
        .mapToLong(Reach::dataFiles)
        .sum();
  }
}
