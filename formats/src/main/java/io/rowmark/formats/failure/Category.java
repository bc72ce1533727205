package io.rowmark.formats.failure;

/** Who can mend a failure. */
public enum Category {
  /** The configuration is wrong or incomplete; nothing was read or written. */
  CONFIG,
  /** The input cannot be read or does not fit; nothing was committed. */
  SOURCE,
  /** The data, index or ledger table is in a state that this batch must not be applied to. */
  TABLE_STATE,
  /** Other writers kept winning the commit; nothing of this batch is visible. */
  CONFLICT,
  /** The catalog's answer was lost: the batch may or may not have landed. Nothing was removed. */
  UNKNOWN_COMMIT,
  /** A table lies there in a way that some reader does not read rightly; nothing was written. */
  UNREADABLE,
  /** A fault of Rowmark itself, or of a service below it. */
  INTERNAL
}
