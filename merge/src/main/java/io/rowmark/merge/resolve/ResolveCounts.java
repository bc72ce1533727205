package io.rowmark.merge.resolve;

/**
 * What a table's net changes turned out to be.
 *
 * @param inserts puts of keys without a row
 * @param updates puts of keys with a row
 * @param deletes removals of keys with a row
 * @param unknownDeletes removals of keys without a row: nothing to delete
 * @param stale changes older than what was applied
 * @param problems changes that cannot become rows
 * @param filled puts whose left-out values come from the old row
 */
public record ResolveCounts(
    long inserts,
    long updates,
    long deletes,
    long unknownDeletes,
    long stale,
    long problems,
    long filled) {
  /** Rows to write. */
  public long puts() {
    return inserts + updates;
  }

  /** Index entries to write, when deleted keys stay as tombstones. */
  public long applied() {
    return inserts + updates + deletes + unknownDeletes;
  }
}
