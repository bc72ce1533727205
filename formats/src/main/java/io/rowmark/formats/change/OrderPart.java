package io.rowmark.formats.change;

import java.io.Serializable;
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
    TEXT(OrderNumbers.TEXT_LONGS);

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
    return OrderNumbers.put(kind, value, numbers, at);
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
}
