package io.rowmark.index.compact;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.upkeep.FileDebt;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which files of an index, or of a ledger, maintenance rewrites: more than a batch would ({@link
 * RunTier}), since nobody waits.
 *
 * @param files how many take part
 * @param outputs how many come of them, by their size
 * @param bytes of those that take part
 * @param below size below which files take part; 0 for none by size
 * @param deadShare share of dead entries from which a file takes part
 */
public record MergeChoice(
    int files, int outputs, long bytes, long below, double deadShare, Scope scope) {

  /** How far a rewrite goes. */
  public enum Scope {
    /** Small files, and those with many dead entries. */
    SOME,
    /** All files, since too many of them may hold one key. */
    ALL
  }

  /**
   * Chooses; empty where nothing is worth it.
   *
   * @param depth how many files may hold one key, see {@link RangeDepth}
   * @param most how many may
   * @param largest files of this size and more are not small, in bytes
   */
  public static Optional<MergeChoice> of(
      Collection<LiveFile> files, int depth, int most, double deadShare, long largest) {
    long small = files.stream().filter(live -> size(live) < largest / 2).count();
    long below = small > 1 ? largest / 2 : 0;
    List<LiveFile> some =
        files.stream()
            .filter(live -> size(live) < below || FileDebt.of(live).share() >= deadShare)
            .toList();
    int large = files.size() - some.size();
    if (large > 0 && depth > most && files.size() > 1) {
      return Optional.of(choice(List.copyOf(files), below, deadShare, largest, Scope.ALL));
    }
    return some.isEmpty()
        ? Optional.empty()
        : Optional.of(choice(some, below, deadShare, largest, Scope.SOME));
  }

  /** Whether a file of the choice's table takes part. */
  public boolean takes(LiveFile live) {
    return scope == Scope.ALL || size(live) < below || FileDebt.of(live).share() >= deadShare;
  }

  private static MergeChoice choice(
      List<LiveFile> files, long below, double deadShare, long largest, Scope scope) {
    long bytes = files.stream().mapToLong(MergeChoice::size).sum();
    double live =
        files.stream().mapToDouble(one -> size(one) * (1 - FileDebt.of(one).share())).sum();
    int outputs = live == 0 ? 0 : (int) Math.ceil(live / largest);
    return new MergeChoice(files.size(), outputs, bytes, below, deadShare, scope);
  }

  private static long size(LiveFile live) {
    return live.file().fileSizeInBytes();
  }
}
