package io.rowmark.formats.verdict;

import java.util.Locale;

/** What a query of a reader ends in, worst first: an error is seen, wrong rows are not. */
public enum Outcome {
  /** Rows that are deleted are returned, without a word. */
  WRONG_ROWS,
  /** The rows of an older snapshot. */
  STALE,
  /** The table is refused, or the query fails. */
  ERROR,
  /** Nobody has written down what happens; counts as not reading the table. */
  UNKNOWN,
  /** The right rows, through another and slower reader. */
  FALLBACK,
  /** All rows, and no deleted one. */
  READABLE;

  /** Whether a query is known to return exactly the table's rows. */
  public boolean isRight() {
    return this == READABLE || this == FALLBACK;
  }

  /** As written in reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
