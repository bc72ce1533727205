package io.rowmark.formats.type;

import io.rowmark.formats.type.ValueRejected.Code;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * Source values of the date and time types. Numbers before the epoch count downwards (floor), wall
 * clocks are never shifted by a zone, and only the years 1 to 9999 are accepted: every engine reads
 * them alike, and databases write their infinities outside.
 */
final class TimeReader {
  static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long DAY_NANOS = 86_400L * NANOS_PER_SECOND;
  private static final LocalDate FIRST_DAY = LocalDate.of(1, 1, 1);
  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);
  private static final long FIRST_SECOND = FIRST_DAY.toEpochDay() * 86_400L;
  private static final long END_SECOND = (LAST_DAY.toEpochDay() + 1) * 86_400L;

  private TimeReader() {}

  static LocalDate date(Object value) {
    long days = units(value);
    if (days < FIRST_DAY.toEpochDay() || days > LAST_DAY.toEpochDay()) {
      throw outOfRange();
    }
    return LocalDate.ofEpochDay(days);
  }

  static LocalDateTime timestamp(Object value, long unitsPerSecond) {
    long units = units(value);
    long second = Math.floorDiv(units, unitsPerSecond);
    int nano = (int) (Math.floorMod(units, unitsPerSecond) * (NANOS_PER_SECOND / unitsPerSecond));
    if (second < FIRST_SECOND || second >= END_SECOND) {
      throw outOfRange();
    }
    return LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC);
  }

  static Instant instant(Object value, long unitsPerSecond) {
    return timestamp(value, unitsPerSecond).toInstant(ZoneOffset.UTC);
  }

  /** Fixed-width text, so that it sorts as time does; 24:00:00 is a time in several databases. */
  static String time(Object value, long unitsPerSecond, int digits) {
    long units = units(value);
    if (units < 0 || units > 86_400L * unitsPerSecond) {
      throw new ValueRejected(Code.TIME_OUT_OF_RANGE, "a time of day outside 00:00:00 to 24:00:00");
    }
    return timeText(units * (NANOS_PER_SECOND / unitsPerSecond), digits);
  }

  static Instant zonedTimestamp(Object value) {
    try {
      return inRange(OffsetDateTime.parse(text(value, "an ISO timestamp with offset")).toInstant());
    } catch (DateTimeParseException e) {
      throw ValueRejected.mismatch(value, "an ISO timestamp with offset");
    }
  }

  static LocalDate isoDate(Object value) {
    try {
      return inRange(LocalDate.parse(withoutZ(text(value, "an ISO date"))));
    } catch (DateTimeParseException e) {
      throw ValueRejected.mismatch(value, "an ISO date");
    }
  }

  static LocalDateTime isoTimestamp(Object value) {
    try {
      return inRange(LocalDateTime.parse(withoutZ(text(value, "an ISO timestamp"))));
    } catch (DateTimeParseException e) {
      throw ValueRejected.mismatch(value, "an ISO timestamp in UTC or without offset");
    }
  }

  static String isoTime(Object value) {
    try {
      return timeText(LocalTime.parse(withoutZ(text(value, "an ISO time"))).toNanoOfDay(), 9);
    } catch (DateTimeParseException e) {
      throw ValueRejected.mismatch(value, "an ISO time in UTC or without offset");
    }
  }

  static LocalDate structuredDate(Object value) {
    Map<?, ?> parts = parts(value);
    try {
      return inRange(LocalDate.of(part(parts, "year"), part(parts, "month"), part(parts, "day")));
    } catch (DateTimeException e) {
      throw outOfRange();
    }
  }

  static LocalDateTime structuredTimestamp(Object value) {
    return structuredDate(value).atStartOfDay().plusNanos(nanoOfDay(parts(value)));
  }

  static Instant structuredZonedTimestamp(Object value) {
    Map<?, ?> parts = parts(value);
    int offset = parts.get("offsetSeconds") == null ? 0 : part(parts, "offsetSeconds");
    return inRange(structuredTimestamp(value).toInstant(ZoneOffset.UTC).minusSeconds(offset));
  }

  static String structuredTime(Object value) {
    return timeText(nanoOfDay(parts(value)), 9);
  }

  private static long nanoOfDay(Map<?, ?> parts) {
    long second = part(parts, "hour") * 3600L + part(parts, "minute") * 60L + part(parts, "second");
    Object picos = parts.get("picoseconds");
    long pico = picos == null ? 0 : units(picos);
    if (Math.floorMod(pico, 1000L) != 0) {
      throw new ValueRejected(Code.TIME_OUT_OF_RANGE, "a fraction finer than nanoseconds");
    }
    long nanos = second * NANOS_PER_SECOND + pico / 1000;
    if (second < 0 || nanos < 0 || nanos > DAY_NANOS) {
      throw new ValueRejected(Code.TIME_OUT_OF_RANGE, "a time of day outside 00:00:00 to 24:00:00");
    }
    return nanos;
  }

  private static Map<?, ?> parts(Object value) {
    if (!(value instanceof Map<?, ?> parts)) {
      throw ValueRejected.mismatch(value, "an object of date and time parts");
    }
    if (parts.get("specialValue") != null) {
      throw outOfRange();
    }
    return parts;
  }

  private static int part(Map<?, ?> parts, String name) {
    Object part = parts.get(name);
    if (part != null && NumberReader.whole(part) instanceof Long whole) {
      // Saturated, so that a wild number is out of range instead of wrapping into it.
      return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, whole));
    }
    throw new ValueRejected(
        Code.TYPE_MISMATCH, "a date or time without its part '%s'".formatted(name));
  }

  private static String timeText(long nanos, int digits) {
    long second = nanos / NANOS_PER_SECOND;
    long fraction = nanos % NANOS_PER_SECOND;
    StringBuilder text = new StringBuilder(18);
    twoDigits(text, second / 3600).append(':');
    twoDigits(text, second / 60 % 60).append(':');
    twoDigits(text, second % 60).append('.');
    // A leading one keeps the zeros of the fraction.
    return text.append(Long.toString(NANOS_PER_SECOND + fraction), 1, 1 + digits).toString();
  }

  private static StringBuilder twoDigits(StringBuilder text, long value) {
    return text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
  }

  private static long units(Object value) {
    if (NumberReader.whole(value) instanceof Long units) {
      return units;
    }
    throw outOfRange();
  }

  private static String text(Object value, String expected) {
    if (value instanceof String text) {
      return text;
    }
    throw ValueRejected.mismatch(value, expected);
  }

  private static String withoutZ(String text) {
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }

  private static LocalDate inRange(LocalDate date) {
    if (date.isBefore(FIRST_DAY) || date.isAfter(LAST_DAY)) {
      throw outOfRange();
    }
    return date;
  }

  private static LocalDateTime inRange(LocalDateTime timestamp) {
    inRange(timestamp.toLocalDate());
    return timestamp;
  }

  private static Instant inRange(Instant instant) {
    if (instant.getEpochSecond() < FIRST_SECOND || instant.getEpochSecond() >= END_SECOND) {
      throw outOfRange();
    }
    return instant;
  }

  private static ValueRejected outOfRange() {
    return new ValueRejected(
        Code.TIMESTAMP_OUT_OF_RANGE,
        "a date or timestamp that is infinite or not of years 1 to 9999");
  }
}
