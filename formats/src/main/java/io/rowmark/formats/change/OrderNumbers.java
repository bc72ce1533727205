package io.rowmark.formats.change;

import io.rowmark.formats.change.OrderPart.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the values of an order as numbers that compare as the source does. */
final class OrderNumbers {
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
  static final int TEXT_LONGS = 6;

  private OrderNumbers() {}

  /**
   * Puts the numbers of a value in their place.
   *
   * @return false when the value is none of the kind
   */
  static boolean put(Kind kind, Object value, long[] numbers, int at) {
    return switch (kind) {
      case BIG_NUMBER -> putBig(value, numbers, at);
      case HEX_TRIPLE -> putTriple(value, numbers, at);
      case BINLOG_POSITION -> putGroups(BINLOG.matcher(value.toString()), numbers, at);
      case TEXT -> putText(value.toString(), numbers, at);
      default -> putOne(one(kind, value), numbers, at);
    };
  }

  private static boolean putOne(@Nullable Long number, long[] numbers, int at) {
    if (number == null) {
      return false;
    }
    numbers[at] = number;
    return true;
  }

  private static @Nullable Long one(Kind kind, Object value) {
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
