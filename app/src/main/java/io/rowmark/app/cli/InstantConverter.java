package io.rowmark.app.cli;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an instant. A time without zone is refused: machines differ in what it means. */
final class InstantConverter implements ITypeConverter<Instant> {
  @Override
  public Instant convert(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'%s' is no time with zone, as in 2026-11-01T00:00:00Z or 2026-11-01T01:00:00+01:00"
              .formatted(text));
    }
  }
}
