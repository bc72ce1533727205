package io.rowmark.merge.maintain;

/** What maintenance does, in this order. */
public enum MaintainTask {
  /** Drop dead data files, rewrite small ones and those with many dead rows. */
  FILES,
  /** Forget keys that were deleted long ago, merge the files of the index. */
  INDEX,
  /** Merge the files of the ledger. */
  LEDGER,
  /** Expire snapshots of data, index and ledger. */
  EXPIRE,
  /** List files that no snapshot names. */
  ORPHANS
}
