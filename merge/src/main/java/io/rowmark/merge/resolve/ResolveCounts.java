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
 * @param putsUnseen puts of keys that were not looked up
 * @param removalsUnseen removals of keys that were not looked up
 * @param versions versions that ended, written as rows of a history
 */
public record ResolveCounts(
    long inserts,
    long updates,
    long deletes,
    long unknownDeletes,
    long stale,
    long problems,
    long filled,
    long putsUnseen,
    long removalsUnseen,
    long versions) {
  /** Changes that apply: index entries to write, or keys to delete by. */
  public long applied() {
    return inserts + updates + deletes + unknownDeletes + putsUnseen + removalsUnseen;
  }
}
