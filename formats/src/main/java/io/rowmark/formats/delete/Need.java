package io.rowmark.formats.delete;

import java.util.List;
import java.util.Set;

/** What must be done before the first batch in the decided format. */
public sealed interface Need {
  /**
   * Raise the table's format version, which has no way back.
   *
   * @param lockedOut popular engines, in their current release, that cannot read the table
   *     afterwards; a declared reader is never among them, for then the format would not fit
   */
  record UpgradeFormat(int from, int to, List<String> lockedOut) implements Need {
    public UpgradeFormat {
      lockedOut = List.copyOf(lockedOut);
    }
  }

  /** Rewrite the deletes of these kinds that lie in the table. */
  record ConvertDeletes(Set<DeleteFormat> kinds) implements Need {
    public ConvertDeletes {
      kinds = Set.copyOf(kinds);
    }
  }

  /**
   * The format needs an index of where each key's row lies. Where the table has one already there
   * is nothing to do.
   */
  record BuildIndex() implements Need {}
}
