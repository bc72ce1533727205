package io.rowmark.formats.capability;

import java.util.Locale;

/** Whether a catalog commits several tables in one request. */
public enum MultiTableCommit {
  /** All or nothing. */
  ATOMIC,
  /** Has the endpoint, but commits one table after another. */
  OFFERED,
  ABSENT,
  /** Nothing is known; counts as absent. */
  UNKNOWN;

  /** As written in the data and in reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
