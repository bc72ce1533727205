package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceType.Plain;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The first half of decoding: a source value of a plain or decimal type, read exactly into one of a
 * few kinds of Java values. {@link TargetFit} is the second half.
 *
 * @param kind what {@code read} yields
 * @param read from a JSON value other than null; throws {@link ValueRejected}
 */
record SourceReader(Kind kind, Function<Object, Object> read) {

  /** The Java value between source and column. */
  enum Kind {
    BOOLEAN,
    /** Long, or BigInteger beyond 64 bits. */
    WHOLE,
    FLOAT,
    DOUBLE,
    /** Long, BigInteger or BigDecimal of a JSON number; Double for -0.0, NaN and infinities. */
    JSON_NUMBER,
    DECIMAL,
    /** BigDecimal that a text column may hold as plain text. */
    VARIABLE_DECIMAL,
    TEXT,
    /** Canonical lower-case text. */
    UUID,
    BYTES,
    DATE,
    LOCAL_TIMESTAMP,
    INSTANT
  }

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private static final Map<Plain, SourceReader> PLAIN = new EnumMap<>(Plain.class);

  static {
    long milli = 1_000L;
    long micro = 1_000_000L;
    long nano = TimeReader.NANOS_PER_SECOND;
    plain(Plain.WHOLE_NUMBER, Kind.JSON_NUMBER, NumberReader::untyped);
    plain(Plain.FRACTION, Kind.JSON_NUMBER, NumberReader::untyped);
    plain(Plain.BOOLEAN, Kind.BOOLEAN, SourceReader::bool);
    plain(Plain.INT, Kind.WHOLE, NumberReader::whole);
    plain(Plain.LONG, Kind.WHOLE, NumberReader::whole);
    plain(Plain.FLOAT, Kind.FLOAT, NumberReader::nearestFloat);
    plain(Plain.DOUBLE, Kind.DOUBLE, NumberReader::nearestDouble);
    plain(Plain.STRING, Kind.TEXT, SourceReader::text);
    plain(Plain.BYTES, Kind.BYTES, SourceReader::bytes);
    plain(Plain.DATE, Kind.DATE, TimeReader::date);
    plain(Plain.TIME_MILLIS, Kind.TEXT, v -> TimeReader.time(v, milli, 6));
    plain(Plain.TIME_MICROS, Kind.TEXT, v -> TimeReader.time(v, micro, 6));
    plain(Plain.TIME_NANOS, Kind.TEXT, v -> TimeReader.time(v, nano, 9));
    plain(Plain.TIMESTAMP_MILLIS, Kind.LOCAL_TIMESTAMP, v -> TimeReader.timestamp(v, milli));
    plain(Plain.TIMESTAMP_MICROS, Kind.LOCAL_TIMESTAMP, v -> TimeReader.timestamp(v, micro));
    plain(Plain.TIMESTAMP_NANOS, Kind.LOCAL_TIMESTAMP, v -> TimeReader.timestamp(v, nano));
    plain(Plain.INSTANT_MILLIS, Kind.INSTANT, v -> TimeReader.instant(v, milli));
    plain(Plain.INSTANT_MICROS, Kind.INSTANT, v -> TimeReader.instant(v, micro));
    plain(Plain.INSTANT_NANOS, Kind.INSTANT, v -> TimeReader.instant(v, nano));
    plain(Plain.ZONED_TIMESTAMP, Kind.INSTANT, TimeReader::zonedTimestamp);
    plain(Plain.ZONED_TIME, Kind.TEXT, SourceReader::text);
    plain(Plain.ISO_DATE, Kind.DATE, TimeReader::isoDate);
    plain(Plain.ISO_TIME, Kind.TEXT, TimeReader::isoTime);
    plain(Plain.ISO_TIMESTAMP, Kind.LOCAL_TIMESTAMP, TimeReader::isoTimestamp);
    plain(Plain.STRUCTURED_DATE, Kind.DATE, TimeReader::structuredDate);
    plain(Plain.STRUCTURED_TIME, Kind.TEXT, TimeReader::structuredTime);
    plain(Plain.STRUCTURED_TIMESTAMP, Kind.LOCAL_TIMESTAMP, TimeReader::structuredTimestamp);
    plain(Plain.STRUCTURED_ZONED_TIMESTAMP, Kind.INSTANT, TimeReader::structuredZonedTimestamp);
    plain(Plain.DURATION_MICROS, Kind.WHOLE, NumberReader::whole);
    plain(Plain.DURATION_NANOS, Kind.WHOLE, NumberReader::whole);
    plain(Plain.UUID_TEXT, Kind.UUID, SourceReader::uuid);
    plain(Plain.UUID, Kind.UUID, SourceReader::uuid);
    plain(Plain.VARIABLE_DECIMAL_TEXT, Kind.VARIABLE_DECIMAL, NumberReader::variableDecimal);
  }

  private static void plain(Plain type, Kind kind, Function<Object, Object> read) {
    PLAIN.put(type, new SourceReader(kind, read));
  }

  /** The reader of a type; empty for {@link Plain#INFERRED} and nested types. */
  static Optional<SourceReader> of(SourceType source) {
    if (source instanceof Plain plain) {
      return Optional.ofNullable(PLAIN.get(plain));
    } else if (source instanceof SourceType.Decimal decimal) {
      return Optional.of(new SourceReader(Kind.DECIMAL, v -> decimal(decimal, v)));
    } else if (source instanceof SourceType.VariableDecimal) {
      return Optional.of(new SourceReader(Kind.DECIMAL, NumberReader::variableDecimal));
    } else if (source instanceof SourceType.Bits) {
      return Optional.of(new SourceReader(Kind.BYTES, SourceReader::bytes));
    }
    return Optional.empty();
  }

  private static BigDecimal decimal(SourceType.Decimal type, Object value) {
    return switch (type.encoding()) {
      case BASE64 -> NumberReader.base64Decimal(value, type.scale());
      case TEXT -> NumberReader.textDecimal(value);
      case NUMBER -> NumberReader.number(value, "a JSON number");
    };
  }

  /** MySQL snapshots write TINYINT(1) as 0 and 1, the stream as false and true. */
  private static Boolean bool(Object value) {
    if (value instanceof Boolean bool) {
      return bool;
    } else if (value instanceof Integer || value instanceof Long) {
      long number = ((Number) value).longValue();
      if (number == 0 || number == 1) {
        return number == 1;
      }
    }
    throw ValueRejected.mismatch(value, "a boolean");
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw ValueRejected.mismatch(value, "text");
  }

  private static byte[] bytes(Object value) {
    if (value instanceof String text) {
      return NumberReader.base64(text);
    } else if (value instanceof byte[] bytes) {
      return bytes;
    }
    throw ValueRejected.mismatch(value, "base64 text");
  }

  private static String uuid(Object value) {
    if (value instanceof String text && UUID_TEXT.matcher(text).matches()) {
      return text.toLowerCase(Locale.ROOT);
    }
    throw ValueRejected.mismatch(value, "a UUID of 36 characters");
  }
}
