package io.rowmark.formats.change;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One part of a position in a source, and how its value becomes numbers that compare as the source
 * does; never as text.
 *
 * @param path where the value is
 * @param kind what the value is
 * @param missing what a null or missing value means
 * @param otherwise where to look when the value is null or missing; null for nowhere
 * @param match what of the value's text counts: its groups, joined; null for the whole text. Text
 *     without a match counts as missing
 */
public record OrderPart(
    FieldPath path,
    Kind kind,
    Missing missing,
    @Nullable FieldPath otherwise,
    @Nullable Pattern match)
    implements Serializable {

  private static final Pattern DIGITS_AT_END = Pattern.compile("(\\d+)$");
  private static final Pattern SEQUENCE =
      Pattern.compile("\\s*\\[\\s*(null|\"(\\d+)\")\\s*,\\s*(null|\"(\\d+)\")\\s*]\\s*");
  private static final Pattern TRIPLE =
      Pattern.compile("([0-9a-fA-F]{8}):([0-9a-fA-F]{8}):([0-9a-fA-F]{4})");
  private static final Pattern PAIR = Pattern.compile("([0-9a-fA-F]{1,8})/([0-9a-fA-F]{1,8})");
  private static final Pattern BINLOG = Pattern.compile(".*?(\\d+):(\\d+)");

  /** Beyond the first 18 digits of a number comes the next long. */
  private static final BigInteger DIGITS_18 = BigInteger.TEN.pow(18);

  /** Text is compared by this many of its bytes. */
  private static final int TEXT_LONGS = 6;

  /** How a value becomes numbers. */
  public enum Kind {
    /** A whole number of 64 bits, as a number or as text. */
    NUMBER(1),
    /** A whole number of at most 36 digits. */
    BIG_NUMBER(2),
    /** The last run of digits: {@code mysql-bin.000012} is 12. */
    NUMBER_SUFFIX(1),
    /** A hexadecimal number below 2^63. */
    HEX(1),
    /** Postgres' {@code 16/B374D848}. */
    HEX_PAIR(1),
    /** SQL Server's {@code 00000025:00000d98:00a2}, as three numbers. */
    HEX_TRIPLE(3),
    /** Maxwell's {@code mysql-bin.000012:4711}: number of the file, then place in it. */
    BINLOG_POSITION(2),
    /** First element of Debezium's {@code sequence} for Postgres; null counts as 0. */
    SEQUENCE_FIRST(1),
    /** Second element of it; null gives no order. */
    SEQUENCE_SECOND(1),
    /** ISO text, with or without offset, as nanoseconds; or a number as it is. */
    TIMESTAMP(1),
    /** ASCII text of at most 48 characters, compared by its bytes. */
    TEXT(TEXT_LONGS);

    private final int width;

    Kind(int width) {
      this.width = width;
    }
  }

  /** What a null or missing value means. */
  public enum Missing {
    /** It comes before all others: zero. */
    FIRST,
    /** It comes after all others. */
    LAST,
    /** The change has no order at all, unless it is a snapshot read. */
    NO_ORDER
  }

  /** How many numbers the part takes. */
  int width() {
    return kind.width;
  }

  /**
   * Puts the part's numbers in their place.
   *
   * @return false when the change has no order
   */
  boolean put(RecordView record, int epoch, long[] numbers, int at) {
    Object value = value(record);
    if (value == null) {
      if (missing == Missing.LAST) {
        for (int i = 0; i < kind.width; i++) {
          numbers[at + i] = Long.MAX_VALUE;
        }
      }
      return missing != Missing.NO_ORDER || epoch == ChangeOrder.SNAPSHOT_EPOCH;
    }
    return switch (kind) {
      case BIG_NUMBER -> putBig(value, numbers, at);
      case HEX_TRIPLE -> putTriple(value, numbers, at);
      case BINLOG_POSITION -> putGroups(BINLOG.matcher(value.toString()), numbers, at);
      case TEXT -> putText(value.toString(), numbers, at);
      default -> putOne(one(value), numbers, at);
    };
  }

  private @Nullable Object value(RecordView record) {
    Object value = path.in(record);
    if (value == null && otherwise != null) {
      value = otherwise.in(record);
    }
    if (value == null || match == null) {
      return value;
    }
    Matcher matcher = match.matcher(value.toString());
    if (!matcher.find()) {
      return null;
    }
    StringBuilder joined = new StringBuilder();
    for (int group = 1; group <= matcher.groupCount(); group++) {
      String part = matcher.group(group);
      joined.append(part == null ? "" : part);
    }
    return joined.toString();
  }

  private static boolean putOne(@Nullable Long number, long[] numbers, int at) {
    if (number == null) {
      return false;
    }
    numbers[at] = number;
    return true;
  }

  private @Nullable Long one(Object value) {
    return switch (kind) {
      case NUMBER -> plain(value);
      case NUMBER_SUFFIX -> suffix(value);
      case HEX -> hex(value.toString());
      case HEX_PAIR -> pair(value.toString());
      case SEQUENCE_FIRST -> sequence(value.toString(), 2, 0L);
      case SEQUENCE_SECOND ->
          // a plain number comes from the fallback, the event's own lsn
          value.toString().stripLeading().startsWith("[")
              ? sequence(value.toString(), 4, null)
              : plain(value);
      case TIMESTAMP -> value instanceof Number ? plain(value) : timestamp(value.toString());
      case BIG_NUMBER, HEX_TRIPLE, BINLOG_POSITION, TEXT ->
          throw new IllegalArgumentException(kind + " is more than one number");
    };
  }

  private static @Nullable Long plain(Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    try {
      if (value instanceof BigDecimal decimal && decimal.scale() > 0) {
        return decimal.longValueExact();
      }
      return new BigInteger(value.toString()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long suffix(Object value) {
    Matcher digits = DIGITS_AT_END.matcher(value.toString());
    return digits.find() ? plain(digits.group(1)) : null;
  }

  private static @Nullable Long sequence(String text, int group, @Nullable Long missing) {
    Matcher matcher = SEQUENCE.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String number = matcher.group(group);
    return number == null ? missing : plain(number);
  }

  private static @Nullable Long hex(String text) {
    try {
      return Long.parseLong(text, 16);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long pair(String text) {
    Matcher pair = PAIR.matcher(text);
    if (!pair.matches()) {
      return null;
    }
    long number = (Long.parseLong(pair.group(1), 16) << 32) | Long.parseLong(pair.group(2), 16);
    return number < 0 ? null : number;
  }

  private static @Nullable Long timestamp(String text) {
    String iso = text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
    try {
      OffsetDateTime time =
          iso.matches(".*(Z|[+-]\\d\\d:?\\d\\d)")
              ? OffsetDateTime.parse(iso)
              : LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC);
      return Math.addExact(
          Math.multiplyExact(time.toEpochSecond(), 1_000_000_000L), time.getNano());
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static boolean putBig(Object value, long[] numbers, int at) {
    try {
      BigInteger[] parts = new BigInteger(value.toString()).divideAndRemainder(DIGITS_18);
      numbers[at] = parts[0].longValueExact();
      numbers[at + 1] = parts[1].longValueExact();
      return true;
    } catch (ArithmeticException | NumberFormatException e) {
      return false;
    }
  }

  private static boolean putTriple(Object value, long[] numbers, int at) {
    Matcher triple = TRIPLE.matcher(value.toString());
    if (!triple.matches()) {
      return false;
    }
    for (int i = 0; i < 3; i++) {
      numbers[at + i] = Long.parseLong(triple.group(i + 1), 16);
    }
    return true;
  }

  private static boolean putGroups(Matcher matcher, long[] numbers, int at) {
    if (!matcher.matches()) {
      return false;
    }
    for (int i = 0; i < matcher.groupCount(); i++) {
      Long number = plain(matcher.group(i + 1));
      if (number == null) {
        return false;
      }
      numbers[at + i] = number;
    }
    return true;
  }

  private static boolean putText(String text, long[] numbers, int at) {
    if (text.length() > TEXT_LONGS * Long.BYTES) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c > 0x7f) {
        return false;
      }
      // ASCII keeps the sign bit clear, so the longs compare as the bytes do.
      numbers[at + i / Long.BYTES] |= (long) c << (56 - 8 * (i % Long.BYTES));
    }
    return true;
  }
}
