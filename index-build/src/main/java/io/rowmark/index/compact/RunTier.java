package io.rowmark.index.compact;

import io.rowmark.formats.position.LiveFile;
import java.util.Collection;
import java.util.Optional;

/**
 * The small files of an index that are worth merging: each batch adds one sorted run, and a lookup
 * opens every file whose range holds a key. Files join from the smallest up; one that costs
 * something to rewrite only if it is not larger than twice all before it, so that an entry is
 * rewritten about once for each doubling of the index and not once for each merge.
 *
 * @param files how many
 * @param bytes of all of them
 * @param below size that they are below, and the other files are not
 */
public record RunTier(int files, long bytes, long below) {
  private static final int GROWTH = 2;

  /** Rewriting less takes no longer than starting to. */
  private static final long CHEAP_BYTES = 8L << 20;

  /**
   * Chooses what to merge.
   *
   * @param runs fewest files that are worth it; 0 for never
   * @param largest files of this size and more stay as they are, in bytes
   */
  public static Optional<RunTier> of(Collection<LiveFile> files, int runs, long largest) {
    if (runs == 0 || files.size() < runs) {
      return Optional.empty();
    }
    long[] sizes =
        files.stream().mapToLong(live -> live.file().fileSizeInBytes()).sorted().toArray();
    int count = 0;
    long sum = 0;
    while (count < sizes.length
        && sizes[count] < largest
        && sizes[count] <= Math.max(CHEAP_BYTES, GROWTH * sum)) {
      sum += sizes[count];
      count++;
    }
    // files of equal size cannot be told apart by it
    while (count > 0 && count < sizes.length && sizes[count - 1] == sizes[count]) {
      count--;
      sum -= sizes[count];
    }
    return count < Math.max(2, runs)
        ? Optional.empty()
        : Optional.of(new RunTier(count, sum, sizes[count - 1] + 1));
  }
}
