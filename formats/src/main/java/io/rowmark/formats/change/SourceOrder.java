package io.rowmark.formats.change;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the order of a change from the {@code source} and {@code transaction} blocks of a Debezium
 * event. Which fields order the changes of a connector is data, in {@link #PARTS}; all are compared
 * as numbers, never as text.
 */
public final class SourceOrder {
  /** How a field becomes numbers. */
  private enum Kind {
    NUMBER,
    /** The last run of digits: {@code mysql-bin.000012} is 12. */
    NUMBER_SUFFIX,
    /** SQL Server's {@code 00000025:00000d98:00a2}, as three numbers. */
    HEX_TRIPLE,
    /** First element of Postgres' {@code sequence}: the LSN of the last commit before. */
    SEQUENCE_COMMIT,
    /** Second element of it: the LSN of the event; {@code lsn} where there is no sequence. */
    SEQUENCE_EVENT
  }

  private record Part(Block block, String field, Kind kind) {}

  private enum Block {
    SOURCE,
    TRANSACTION
  }

  /** Order fields by connector, most significant first. */
  private static final Map<String, List<Part>> PARTS =
      Map.of(
          "postgresql",
          List.of(
              new Part(Block.SOURCE, "sequence", Kind.SEQUENCE_COMMIT),
              new Part(Block.SOURCE, "sequence", Kind.SEQUENCE_EVENT),
              new Part(Block.TRANSACTION, "total_order", Kind.NUMBER)),
          "mysql",
          List.of(
              new Part(Block.SOURCE, "file", Kind.NUMBER_SUFFIX),
              new Part(Block.SOURCE, "pos", Kind.NUMBER),
              new Part(Block.SOURCE, "row", Kind.NUMBER)),
          "mariadb",
          List.of(
              new Part(Block.SOURCE, "file", Kind.NUMBER_SUFFIX),
              new Part(Block.SOURCE, "pos", Kind.NUMBER),
              new Part(Block.SOURCE, "row", Kind.NUMBER)),
          "sqlserver",
          List.of(
              new Part(Block.SOURCE, "commit_lsn", Kind.HEX_TRIPLE),
              new Part(Block.SOURCE, "change_lsn", Kind.HEX_TRIPLE),
              new Part(Block.SOURCE, "event_serial_no", Kind.NUMBER)),
          "oracle",
          List.of(
              new Part(Block.SOURCE, "commit_scn", Kind.NUMBER),
              new Part(Block.SOURCE, "scn", Kind.NUMBER),
              new Part(Block.TRANSACTION, "total_order", Kind.NUMBER)),
          "mongodb",
          List.of(
              new Part(Block.SOURCE, "ts_ms", Kind.NUMBER),
              new Part(Block.SOURCE, "ord", Kind.NUMBER)));

  private static final Pattern DIGITS_AT_END = Pattern.compile("(\\d+)$");
  private static final Pattern SEQUENCE =
      Pattern.compile("\\s*\\[\\s*(null|\"(\\d+)\")\\s*,\\s*(null|\"(\\d+)\")\\s*]\\s*");
  private static final Pattern TRIPLE =
      Pattern.compile("([0-9a-fA-F]{8}):([0-9a-fA-F]{8}):([0-9a-fA-F]{4})");

  private SourceOrder() {}

  /**
   * The order of an event; null when its connector is not known or a field of the order cannot be
   * read, so that the caller orders by arrival.
   *
   * @param source the event's source block
   * @param transaction the event's transaction block; null or missing fields count as 0
   */
  public static byte @Nullable [] of(
      int epoch, Map<String, ?> source, @Nullable Map<String, ?> transaction) {
    List<Part> parts = PARTS.get(String.valueOf(source.get("connector")));
    if (parts == null) {
      return null;
    }
    int width = 0;
    for (Part part : parts) {
      width += part.kind == Kind.HEX_TRIPLE ? 3 : 1;
    }
    long[] numbers = new long[width];
    int at = 0;
    for (Part part : parts) {
      Map<String, ?> block = part.block == Block.SOURCE ? source : transaction;
      Object value = block == null ? null : block.get(part.field);
      if (part.kind == Kind.HEX_TRIPLE) {
        if (!putTriple(value, numbers, at)) {
          return null;
        }
        at += 3;
        continue;
      }
      Long number = number(part.kind, value, source);
      if (number == null) {
        return null;
      }
      numbers[at++] = number;
    }
    return ChangeOrder.encode(epoch, numbers);
  }

  private static @Nullable Long number(Kind kind, @Nullable Object value, Map<String, ?> source) {
    return switch (kind) {
      case NUMBER -> plain(value);
      case NUMBER_SUFFIX -> suffix(value);
      case HEX_TRIPLE -> throw new IllegalArgumentException("A triple is three numbers");
      case SEQUENCE_COMMIT -> sequence(value, 2, 0L);
      case SEQUENCE_EVENT -> {
        Long event = sequence(value, 4, null);
        yield event != null ? event : value == null ? plain(source.get("lsn")) : null;
      }
    };
  }

  private static @Nullable Long plain(@Nullable Object value) {
    if (value == null) {
      return 0L;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    try {
      return new BigInteger(value.toString()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long suffix(@Nullable Object value) {
    if (value == null) {
      return 0L;
    }
    Matcher digits = DIGITS_AT_END.matcher(value.toString());
    return digits.find() ? plain(digits.group(1)) : null;
  }

  private static @Nullable Long sequence(
      @Nullable Object value, int group, @Nullable Long missing) {
    if (value == null) {
      return missing;
    }
    Matcher matcher = SEQUENCE.matcher(value.toString());
    if (!matcher.matches()) {
      return null;
    }
    String number = matcher.group(group);
    return number == null ? missing : plain(number);
  }

  /** Null stands for zeros; false when the text is no such triple. */
  private static boolean putTriple(@Nullable Object value, long[] numbers, int at) {
    if (value == null) {
      return true;
    }
    Matcher triple = TRIPLE.matcher(value.toString());
    if (!triple.matches()) {
      return false;
    }
    for (int i = 0; i < 3; i++) {
      numbers[at + i] = Long.parseLong(triple.group(i + 1), 16);
    }
    return true;
  }
}
