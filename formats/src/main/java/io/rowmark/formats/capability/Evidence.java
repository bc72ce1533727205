package io.rowmark.formats.capability;

import java.time.LocalDate;

/**
 * Where a statement comes from.
 *
 * @param source page, issue, code or run, as a person can find it again
 * @param date when the source said so
 * @param origin where the statement stands: file and line of the capability data or of the user's
 *     configuration
 */
public record Evidence(String source, LocalDate date, Confidence confidence, String origin) {

  /** For one line of a report. */
  public String text() {
    return "%s, %s, confidence %s".formatted(source, date, confidence.text());
  }
}
