package io.rowmark.formats.index;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What lies between the data files that an index knows and those that are live now, by path. Needs
 * no history: neither side has to descend from the other.
 *
 * @param vanished known and not live any more: their entries are stale
 * @param unknown live and not known: their keys must be read
 * @param masked kept; hidden by positional deletes alone, which may have changed: entries at
 *     positions deleted now are stale, and counting tells whether rows came back to life
 * @param erased kept; rows were only deleted, some by values of key columns: entries at positions
 *     deleted now and entries with these values are stale
 * @param uncertain kept; only reading their keys again tells which entries are right
 */
public record FileSetDiff(
    Set<String> vanished,
    Set<String> unknown,
    Set<String> masked,
    Set<String> erased,
    Set<String> uncertain) {
  public FileSetDiff {
    vanished = Set.copyOf(vanished);
    unknown = Set.copyOf(unknown);
    masked = Set.copyOf(masked);
    erased = Set.copyOf(erased);
    uncertain = Set.copyOf(uncertain);
  }

  /**
   * From the snapshot that the index covers.
   *
   * @param covered the files of that snapshot, as they were then
   * @param keyColumns field ids of the key columns
   */
  public static FileSetDiff since(
      Map<String, FileState> covered, Map<String, FileState> live, Set<Integer> keyColumns) {
    return compare(
        covered.keySet(),
        live,
        (path, now) -> {
          FileState then = covered.get(path);
          if (then == null) {
            return Fate.UNKNOWN;
          }
          if (now.renumbered(then)) {
            return Fate.UNCERTAIN;
          }
          if (now.equality().equals(then.equality())) {
            if (now.positional().equals(then.positional())) {
              return Fate.UNCHANGED;
            }
            if (now.equality().isEmpty()) {
              return Fate.MASKED;
            }
          }
          return now.onlyLostRows(then, keyColumns) ? Fate.ERASED : Fate.UNCERTAIN;
        });
  }

  /**
   * From the index alone, when the snapshot that it covers is gone.
   *
   * @param entries how many entries name each data file
   */
  public static FileSetDiff ofEntries(Map<String, Long> entries, Map<String, FileState> live) {
    return compare(
        entries.keySet(),
        live,
        (path, now) -> {
          Long known = entries.get(path);
          if (known == null) {
            return Fate.UNKNOWN;
          }
          if (!now.equality().isEmpty()) {
            return Fate.UNCERTAIN;
          }
          if (now.hasDeletes()) {
            return Fate.MASKED;
          }
          return known == now.records() ? Fate.UNCHANGED : Fate.UNCERTAIN;
        });
  }

  private enum Fate {
    UNKNOWN,
    UNCHANGED,
    MASKED,
    ERASED,
    UNCERTAIN
  }

  private interface Judgement {
    Fate of(String path, FileState now);
  }

  private static FileSetDiff compare(
      Set<String> known, Map<String, FileState> live, Judgement judgement) {
    Set<String> vanished = new LinkedHashSet<>(known);
    vanished.removeAll(live.keySet());
    Set<String> unknown = new LinkedHashSet<>();
    Set<String> masked = new LinkedHashSet<>();
    Set<String> erased = new LinkedHashSet<>();
    Set<String> uncertain = new LinkedHashSet<>();
    live.forEach(
        (path, now) -> {
          switch (judgement.of(path, now)) {
            case UNKNOWN -> unknown.add(path);
            case MASKED -> masked.add(path);
            case ERASED -> erased.add(path);
            case UNCERTAIN -> uncertain.add(path);
            case UNCHANGED -> {}
          }
        });
    return new FileSetDiff(vanished, unknown, masked, erased, uncertain);
  }

  /** The same, after counting has shown that rows of some masked files came back to life. */
  public FileSetDiff withRevived(Set<String> revived) {
    Set<String> stillMasked = new LinkedHashSet<>(masked);
    stillMasked.removeAll(revived);
    Set<String> reread = new LinkedHashSet<>(uncertain);
    reread.addAll(revived);
    return new FileSetDiff(vanished, unknown, stillMasked, erased, reread);
  }

  /**
   * The same, where entries of some kept files may be missing.
   *
   * @param countable of these, files without equality deletes: counting tells
   * @param unclear of these, files that have to be read
   */
  public FileSetDiff withDoubts(Set<String> countable, Set<String> unclear) {
    Set<String> counted = new LinkedHashSet<>(masked);
    counted.addAll(countable);
    counted.removeAll(unclear);
    Set<String> compared = new LinkedHashSet<>(erased);
    compared.removeAll(countable);
    compared.removeAll(unclear);
    Set<String> reread = new LinkedHashSet<>(uncertain);
    reread.addAll(unclear);
    return new FileSetDiff(vanished, unknown, counted, compared, reread);
  }

  /** The same, once the keys of some files were read. */
  public FileSetDiff without(Set<String> read) {
    Set<String> unread = new LinkedHashSet<>(unknown);
    unread.removeAll(read);
    Set<String> reread = new LinkedHashSet<>(uncertain);
    reread.removeAll(read);
    return new FileSetDiff(vanished, unread, masked, erased, reread);
  }

  /** Files whose keys must be read. */
  public Set<String> toRead() {
    Set<String> files = new LinkedHashSet<>(unknown);
    files.addAll(uncertain);
    return files;
  }

  /** Files whose entries must be looked at. */
  public Set<String> withStaleEntries() {
    Set<String> files = new LinkedHashSet<>(vanished);
    files.addAll(masked);
    files.addAll(erased);
    files.addAll(uncertain);
    return files;
  }
}
