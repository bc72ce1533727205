package io.rowmark.merge.normalize;

/** Where values come from that an event left out because they did not change. */
public enum GapPolicy {
  /** From an earlier change of the batch, else from the row that the table holds. */
  FILLED,
  /**
   * From nowhere: an event with left-out values that decides its key is a reject. Without a lookup
   * not even an earlier change of the batch will do, since it may be one that comes again, older
   * than the row that the table holds.
   */
  REFUSED
}
