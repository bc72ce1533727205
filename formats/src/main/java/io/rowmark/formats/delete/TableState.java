package io.rowmark.formats.delete;

import java.util.Set;

/** The table that a decision is made for. */
public sealed interface TableState {
  /** Not created yet. */
  record New() implements TableState {}

  /**
   * @param formatVersion Iceberg's, 1 or more
   * @param present the kinds of delete files in the current snapshot; on version 3 position deletes
   *     may be left from version 2
   */
  record Existing(int formatVersion, Set<DeleteFormat> present) implements TableState {
    public Existing {
      present = Set.copyOf(present);
    }
  }
}
