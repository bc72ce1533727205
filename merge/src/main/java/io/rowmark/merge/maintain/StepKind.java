package io.rowmark.merge.maintain;

/** What a step does to a table. */
public enum StepKind {
  /** Data files without a live row, and deletes that hide nothing, go. */
  DROP,
  /** Data files become fewer, without dead rows. */
  REWRITE,
  /** Entries of keys that were deleted long ago go. */
  FORGET,
  /** Files of an index or a ledger become fewer. */
  MERGE
}
