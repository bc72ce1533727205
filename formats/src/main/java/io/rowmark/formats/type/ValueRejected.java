package io.rowmark.formats.type;

import java.util.List;
import java.util.Map;

/**
 * One value does not fit its column; the event belongs among the rejects. Cheap: without a stack
 * trace, since a bad batch may hold millions. The reason never holds the value.
 */
public final class ValueRejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Code code;

  /** Why, as the dead-letter table names it. */
  public enum Code {
    TYPE_MISMATCH("type-mismatch"),
    TYPE_OVERFLOW("type-overflow"),
    DECIMAL_OVERFLOW("decimal-overflow"),
    DECIMAL_SCALE("decimal-scale"),
    DECIMAL_SPECIAL("decimal-special"),
    BAD_BASE64("bad-base64"),
    BAD_DECIMAL("bad-decimal"),
    TIMESTAMP_OUT_OF_RANGE("timestamp-out-of-range"),
    TIME_OUT_OF_RANGE("time-out-of-range"),
    UNKNOWN_COLUMN("unknown-column");

    private final String text;

    Code(String text) {
      this.text = text;
    }

    /** The code as reports and dead letters show it. */
    public String text() {
      return text;
    }
  }

  public ValueRejected(Code code, String reason) {
    super(reason, null, false, false);
    this.code = code;
  }

  static ValueRejected mismatch(Object value, String expected) {
    return new ValueRejected(
        Code.TYPE_MISMATCH, "%s where %s is expected".formatted(kindOf(value), expected));
  }

  public Code code() {
    return code;
  }

  /** A sentence without values. */
  public String reason() {
    return String.valueOf(getMessage());
  }

  private static String kindOf(Object value) {
    if (value instanceof String) {
      return "text";
    } else if (value instanceof Boolean) {
      return "a boolean";
    } else if (value instanceof Number) {
      return "a number";
    } else if (value instanceof List) {
      return "a list";
    } else if (value instanceof Map) {
      return "an object";
    }
    return "a " + value.getClass().getSimpleName();
  }
}
