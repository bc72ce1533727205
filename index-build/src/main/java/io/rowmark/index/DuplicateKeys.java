package io.rowmark.index;

/** What becomes of rows that have the key of another row, as a foreign insert makes them. */
public sealed interface DuplicateKeys {
  DuplicateKeys FAIL = new Fail();

  /** They are found and named by their places, and nothing is committed. */
  record Fail() implements DuplicateKeys {}

  /**
   * The newest row of each key stays, the others are deleted by position.
   *
   * @param commit of the deletes together with the index
   */
  record KeepNewest(PairCommit commit) implements DuplicateKeys {}
}
