package io.rowmark.formats.type;

import io.rowmark.formats.type.ValueRejected.Code;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Source values of the number types, read exactly. */
final class NumberReader {
  /** The texts for values that are no numbers: the Connect JSON converter's, and Debezium's. */
  static final Map<String, Double> SPECIAL =
      Map.of(
          "NaN", Double.NaN,
          "NAN", Double.NaN,
          "Infinity", Double.POSITIVE_INFINITY,
          "POSITIVE_INFINITY", Double.POSITIVE_INFINITY,
          "-Infinity", Double.NEGATIVE_INFINITY,
          "NEGATIVE_INFINITY", Double.NEGATIVE_INFINITY);

  /** Enough for any number that a column can hold; beyond it only memory would be spent. */
  private static final int MAX_EXPONENT = 200_000;

  private static final Pattern DECIMAL_TEXT =
      Pattern.compile("[+-]?(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]{1,9})?");

  private NumberReader() {}

  /** A Long, or a BigInteger beyond 64 bits. */
  static Number whole(Object value) {
    if (value instanceof Long whole) {
      return whole;
    } else if (value instanceof BigInteger big) {
      return narrowest(big);
    } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    BigDecimal exact = number(value, "a whole number");
    if (exact.signum() == 0) {
      return 0L;
    }
    BigDecimal bare = exact.stripTrailingZeros();
    if (bare.scale() > 0) {
      throw new ValueRejected(Code.TYPE_MISMATCH, "a fraction where a whole number is expected");
    }
    if (bare.precision() - bare.scale() > 40) {
      throw new ValueRejected(Code.TYPE_OVERFLOW, "a whole number of more than 40 digits");
    }
    return narrowest(bare.toBigIntegerExact());
  }

  private static Number narrowest(BigInteger big) {
    return big.bitLength() < Long.SIZE ? (Number) big.longValue() : big;
  }

  /** The nearest float of the number's text; never an infinity that the source did not write. */
  static Float nearestFloat(Object value) {
    if (value instanceof String text) {
      return special(text).floatValue();
    } else if (value instanceof Double d && !Double.isFinite(d)) {
      return d.floatValue();
    } else if (value instanceof Number) {
      float nearest = Float.parseFloat(value.toString());
      if (Float.isInfinite(nearest)) {
        throw new ValueRejected(Code.TYPE_OVERFLOW, "a number beyond the range of float");
      }
      return nearest;
    }
    throw ValueRejected.mismatch(value, "a number");
  }

  /** The nearest double of the number's text; never an infinity that the source did not write. */
  static Double nearestDouble(Object value) {
    if (value instanceof Double d) {
      return d;
    } else if (value instanceof String text) {
      return special(text);
    } else if (value instanceof Number number) {
      double nearest = number.doubleValue();
      if (Double.isInfinite(nearest)) {
        throw new ValueRejected(Code.TYPE_OVERFLOW, "a number beyond the range of double");
      }
      return nearest;
    }
    throw ValueRejected.mismatch(value, "a number");
  }

  /** A number of unknown declared type: Long, BigInteger, BigDecimal, or Double for -0.0, NaN. */
  static Number untyped(Object value) {
    if (value instanceof Integer i) {
      return i.longValue();
    } else if (value instanceof Number number) {
      return number;
    } else if (value instanceof String text) {
      return special(text);
    }
    throw ValueRejected.mismatch(value, "a number");
  }

  /** Base64 of the unscaled value (Kafka Connect's Decimal), or a JSON number. */
  static BigDecimal base64Decimal(Object value, int scale) {
    if (value instanceof String || value instanceof byte[]) {
      byte[] unscaled = value instanceof String text ? base64(text) : (byte[]) value;
      if (unscaled.length == 0) {
        throw new ValueRejected(
            Code.BAD_DECIMAL, "an empty byte array where a decimal is expected");
      }
      return new BigDecimal(new BigInteger(unscaled), scale);
    }
    return number(value, "a base64 decimal");
  }

  /** Plain or exponent text, or a JSON number. */
  static BigDecimal textDecimal(Object value) {
    if (!(value instanceof String text)) {
      return number(value, "a decimal text");
    }
    if (SPECIAL.containsKey(text)) {
      throw new ValueRejected(Code.DECIMAL_SPECIAL, "NaN or infinity where a decimal is expected");
    }
    if (!DECIMAL_TEXT.matcher(text).matches()) {
      throw new ValueRejected(Code.BAD_DECIMAL, "text that is no decimal number");
    }
    return new BigDecimal(text);
  }

  /** Debezium's VariableScaleDecimal: {scale, value} with the unscaled value in base64. */
  static BigDecimal variableDecimal(Object value) {
    if (value instanceof Map<?, ?> struct
        && (struct.get("value") instanceof String || struct.get("value") instanceof byte[])
        && struct.get("scale") instanceof Integer scale) {
      if (Math.abs((long) scale) > MAX_EXPONENT) {
        throw new ValueRejected(Code.DECIMAL_OVERFLOW, "a decimal scale beyond any database's");
      }
      return base64Decimal(java.util.Objects.requireNonNull(struct.get("value")), scale);
    }
    throw ValueRejected.mismatch(value, "an object {scale, value}");
  }

  /** A JSON number, exactly. */
  static BigDecimal number(Object value, String expected) {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    } else if (value instanceof BigInteger integer) {
      return new BigDecimal(integer);
    } else if (value instanceof Double d) {
      if (!Double.isFinite(d)) {
        throw new ValueRejected(
            Code.DECIMAL_SPECIAL, "NaN or infinity where a decimal is expected");
      }
      return BigDecimal.valueOf(d);
    } else if (value instanceof Number number) {
      return BigDecimal.valueOf(number.longValue());
    }
    throw ValueRejected.mismatch(value, expected);
  }

  static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new ValueRejected(Code.BAD_BASE64, "text that is no base64");
    }
  }

  private static Double special(String text) {
    @Nullable Double special = SPECIAL.get(text);
    if (special == null) {
      throw ValueRejected.mismatch(text, "a number");
    }
    return special;
  }
}
