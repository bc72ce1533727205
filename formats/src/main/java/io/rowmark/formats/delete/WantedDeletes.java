package io.rowmark.formats.delete;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The delete format that the user asks for: one, or the cheapest that fits. */
public enum WantedDeletes {
  AUTO,
  EQUALITY,
  POSITION,
  DELETION_VECTOR;

  /** Empty for AUTO. */
  public Optional<DeleteFormat> format() {
    return Arrays.stream(DeleteFormat.values())
        .filter(format -> format.name().equals(name()))
        .findFirst();
  }

  /** As written in a configuration. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
