package io.rowmark.formats.change;

import java.io.Serializable;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Where a record says when its change happened in the source. Such times repeat inside a
 * transaction and may go backwards, so they never order changes.
 *
 * @param path of a number in {@code unit}, or of an ISO text; a text without offset is in UTC
 */
public record EventTime(FieldPath path, Unit unit) implements Serializable {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /** What a number counts, from 1970 on. */
  public enum Unit {
    SECONDS(1_000_000L, 1),
    MILLISECONDS(1_000L, 1),
    MICROSECONDS(1, 1),
    NANOSECONDS(1, 1_000L);

    private final long micros;
    private final long perMicro;

    Unit(long micros, long perMicro) {
      this.micros = micros;
      this.perMicro = perMicro;
    }
  }

  /** The time of a record, in whole microseconds; null where it has none of the years 1 to 9999. */
  public @Nullable Instant of(RecordView record) {
    Object value = path.in(record);
    if (value == null) {
      return null;
    }
    try {
      Instant time =
          value instanceof Number || value.toString().matches("-?\\d{1,19}")
              ? ofMicros(micros(new BigInteger(value.toString())))
              : iso(value.toString());
      return time.isBefore(FIRST) || !time.isBefore(END) ? null : time;
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  private long micros(BigInteger number) {
    return Math.floorDiv(Math.multiplyExact(number.longValueExact(), unit.micros), unit.perMicro);
  }

  /** The time that lies so many microseconds after 1970 began. */
  public static Instant ofMicros(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }

  /** Whole microseconds since 1970 began. */
  public static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  private static Instant iso(String text) {
    String iso = text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
    Instant time =
        iso.matches(".*(Z|[+-]\\d\\d:?\\d\\d)")
            ? OffsetDateTime.parse(iso).toInstant()
            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    return ofMicros(micros(time));
  }
}
