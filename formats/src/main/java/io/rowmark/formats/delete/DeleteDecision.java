package io.rowmark.formats.delete;

import java.util.List;

/** How the deletes of a table are to be written, or why no way suits everyone. */
public sealed interface DeleteDecision {
  /** What each party said of each format, formats in order of cost. */
  List<Ruling> rulings();

  /**
   * @param formatVersion that the table has, or must be given
   * @param needs in the order in which they are to be met
   */
  record Fits(DeleteFormat format, int formatVersion, List<Need> needs, List<Ruling> rulings)
      implements DeleteDecision {
    public Fits {
      needs = List.copyOf(needs);
      rulings = List.copyOf(rulings);
    }
  }

  /**
   * @param conflicts every smallest group of parties that together rule out every format
   * @param remedies what would resolve all of them at once, each on its own; the least first
   */
  record NoneFits(List<Ruling> rulings, List<Conflict> conflicts, List<Remedy> remedies)
      implements DeleteDecision {
    public NoneFits {
      rulings = List.copyOf(rulings);
      conflicts = List.copyOf(conflicts);
      remedies = List.copyOf(remedies);
    }
  }
}
