package io.rowmark.formats.type;

/** What becomes of a fraction of a second that is finer than its column. */
public enum Fraction {
  /** The event is rejected, so that nothing is lost unseen. */
  REJECT,
  /** The time is cut down to the column's unit, also before the epoch. */
  FLOOR
}
