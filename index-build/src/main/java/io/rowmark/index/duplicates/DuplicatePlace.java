package io.rowmark.index.duplicates;

/**
 * A row whose key a newer row has. Holds no key values.
 *
 * @param dataFile of the older row
 * @param position of the older row in that file
 * @param newestFile data file of the newest row of the key
 * @param newestPosition of the newest row in that file
 */
public record DuplicatePlace(
    String dataFile, long position, String newestFile, long newestPosition) {

  /** For messages. */
  public String text() {
    return "position %d of data file '%s' (newest: position %d of data file '%s')"
        .formatted(position, dataFile, newestPosition, newestFile);
  }
}
