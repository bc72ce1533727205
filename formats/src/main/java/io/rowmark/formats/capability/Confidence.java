package io.rowmark.formats.capability;

import java.util.Locale;

/** How far a statement about another product can be relied on. */
public enum Confidence {
  /** Read in code or on the vendor's own page, or seen in a run. */
  HIGH,
  /** From an issue's text or a vendor's blog. */
  MEDIUM,
  /** From one page of a third party. */
  LOW;

  /** As written in the data and in reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
