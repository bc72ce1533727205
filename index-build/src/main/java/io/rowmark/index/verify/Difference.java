package io.rowmark.index.verify;

import org.jspecify.annotations.Nullable;

/**
 * One place where index and table disagree. Holds no key values.
 *
 * @param dataFile of the row or of the entry concerned; null for a tombstone and for coverage
 * @param position in that file; null where {@code dataFile} is
 * @param detail a sentence for people
 */
public record Difference(
    Kind kind, @Nullable String dataFile, @Nullable Long position, String detail) {

  /** What is wrong. */
  public enum Kind {
    /** The index does not claim to cover the data table's current snapshot. */
    STALE_COVERAGE("the index does not cover the table as it is"),
    /** A live row without an entry: an update of it would double the row. */
    MISSING_ENTRY("a live row has no entry"),
    /** An entry names another place than the row's. */
    WRONG_PLACE("an entry names another place than its row's"),
    /** An entry names a data file that is not live. */
    VANISHED_FILE("an entry names a data file that is not live"),
    /** An entry whose key no live row has. */
    NO_SUCH_ROW("an entry has no live row"),
    /** An entry keeps another row id than the row has. */
    WRONG_ROW_ID("an entry keeps another row id than its row has"),
    /** A key has more than one entry, tombstones counted. */
    DUPLICATE_ENTRY("a key has more than one entry"),
    /** More than one live row has the same key. */
    DUPLICATE_ROW("a key has more than one live row"),
    /** A live row has a null in a key column. */
    NULL_KEY("a live row has a null in its key");

    private final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }

    public String meaning() {
      return meaning;
    }
  }
}
