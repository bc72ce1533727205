package io.rowmark.formats.capability;

import java.util.Locale;

/** What a reader does with a delete that it cannot read. */
public enum FailureMode {
  /** It refuses the table or the query. */
  ERROR,
  /** It returns rows that were deleted, without a word. */
  WRONG_ROWS,
  /** It goes on serving an older snapshot. */
  STALE,
  /** It hands the query to another, slower reader, which reads the delete. */
  FALLBACK,
  /** Nobody has written down what happens. */
  UNKNOWN;

  /** As written in the data and in reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
