package io.rowmark.formats.audit;

import java.util.List;

/**
 * How many delete files a reader must apply to a data file, by the scope and sequence rules of the
 * table spec; a reader may leave some out whose column bounds do not meet those of the data file.
 *
 * @param max the most for one data file
 * @param buckets how many data files have how many, ascending; those without a file are left out
 */
public record DeletesPerFile(long max, List<Bucket> buckets) {

  /**
   * @param from smallest number of delete files
   * @param to largest number
   * @param dataFiles data files with {@code from} to {@code to} delete files
   */
  public record Bucket(long from, long to, long dataFiles) {}

  public DeletesPerFile {
    buckets = List.copyOf(buckets);
  }
}
