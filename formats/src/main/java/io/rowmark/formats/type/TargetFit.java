package io.rowmark.formats.type;

import io.rowmark.formats.type.SourceReader.Kind;
import io.rowmark.formats.type.ValueRejected.Code;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * The second half of decoding: which kinds of read values a column may hold, and the exact fit of
 * each value. Nothing is rounded, cut or turned into text.
 */
final class TargetFit {
  /** The most digits that an Iceberg decimal has. */
  private static final int MAX_DIGITS = 38;

  private TargetFit() {}

  /** The fit; empty when no value of the kind belongs into a column of the type. */
  static Optional<Function<Object, Object>> of(Kind kind, Type target, Fraction fraction) {
    return Optional.ofNullable(
        switch (target.typeId()) {
          case BOOLEAN -> kind == Kind.BOOLEAN ? Function.<Object>identity() : null;
          case INTEGER -> isWhole(kind) ? TargetFit::toInt : null;
          case LONG -> isWhole(kind) ? TargetFit::toLong : null;
          case FLOAT -> isNumber(kind) ? TargetFit::toFloat : null;
          case DOUBLE -> isNumber(kind) ? TargetFit::toDouble : null;
          case DECIMAL -> decimal(kind, (Types.DecimalType) target);
          case STRING -> string(kind);
          case UUID -> kind == Kind.UUID ? Function.<Object>identity() : null;
          case BINARY -> kind == Kind.BYTES ? Function.<Object>identity() : null;
          case FIXED -> kind == Kind.BYTES ? fixed(((Types.FixedType) target).length()) : null;
          case DATE -> kind == Kind.DATE ? Function.<Object>identity() : null;
          case TIMESTAMP ->
              isTimestamp(kind, ((Types.TimestampType) target).shouldAdjustToUTC())
                  ? fraction == Fraction.FLOOR ? TargetFit::flooredMicros : TargetFit::wholeMicros
                  : null;
          case TIMESTAMP_NANO ->
              isTimestamp(kind, ((Types.TimestampNanoType) target).shouldAdjustToUTC())
                  ? TargetFit::nanosInRange
                  : null;
          default -> null;
        });
  }

  private static boolean isWhole(Kind kind) {
    return kind == Kind.WHOLE || kind == Kind.JSON_NUMBER;
  }

  private static boolean isNumber(Kind kind) {
    return isWhole(kind) || kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  private static boolean isTimestamp(Kind kind, boolean instant) {
    return kind == (instant ? Kind.INSTANT : Kind.LOCAL_TIMESTAMP);
  }

  private static Object toInt(Object value) {
    if (NumberReader.whole(value) instanceof Long whole && whole == whole.intValue()) {
      return whole.intValue();
    }
    throw new ValueRejected(Code.TYPE_OVERFLOW, "a whole number beyond 32 bits");
  }

  private static Object toLong(Object value) {
    if (NumberReader.whole(value) instanceof Long whole) {
      return whole;
    }
    throw new ValueRejected(Code.TYPE_OVERFLOW, "a whole number beyond 64 bits");
  }

  private static Object toFloat(Object value) {
    if (value instanceof Float) {
      return value;
    } else if (value instanceof BigDecimal) {
      return NumberReader.nearestFloat(value);
    } else if (value instanceof Double d) {
      if (!Double.isNaN(d) && d.floatValue() != d) {
        throw new ValueRejected(Code.TYPE_OVERFLOW, "a double that no float equals");
      }
      return d.floatValue();
    }
    float nearest = ((Number) value).floatValue();
    requireExact(value, new BigDecimal(nearest));
    return nearest;
  }

  private static Object toDouble(Object value) {
    if (value instanceof Double) {
      return value;
    } else if (value instanceof Float f) {
      return f.doubleValue();
    } else if (value instanceof BigDecimal) {
      return NumberReader.nearestDouble(value);
    }
    double nearest = ((Number) value).doubleValue();
    requireExact(value, new BigDecimal(nearest));
    return nearest;
  }

  private static void requireExact(Object whole, BigDecimal nearest) {
    if (new BigDecimal(whole.toString()).compareTo(nearest) != 0) {
      throw new ValueRejected(
          Code.TYPE_OVERFLOW, "a whole number that the floating-point column cannot hold exactly");
    }
  }

  private static @Nullable Function<Object, Object> decimal(Kind kind, Types.DecimalType target) {
    return switch (kind) {
      case WHOLE, JSON_NUMBER, DECIMAL, VARIABLE_DECIMAL ->
          value -> fit(NumberReader.number(value, "a number"), target);
      default -> null;
    };
  }

  private static BigDecimal fit(BigDecimal value, Types.DecimalType target) {
    if (value.scale() == target.scale() && value.precision() <= target.precision()) {
      return value;
    }
    if (value.signum() == 0) {
      return BigDecimal.ZERO.setScale(target.scale());
    }
    // Bare of zeros first: 1E+1000000000 written out would fill the memory.
    BigDecimal bare = value.stripTrailingZeros();
    if (bare.precision() - (long) bare.scale() > MAX_DIGITS) {
      throw decimalOverflow();
    }
    if (bare.scale() > target.scale()) {
      throw new ValueRejected(
          Code.DECIMAL_SCALE, "more digits after the point than the column has");
    }
    BigDecimal fitted = bare.setScale(target.scale());
    if (fitted.precision() > target.precision()) {
      throw decimalOverflow();
    }
    return fitted;
  }

  private static ValueRejected decimalOverflow() {
    return new ValueRejected(Code.DECIMAL_OVERFLOW, "more digits than the column has");
  }

  private static @Nullable Function<Object, Object> string(Kind kind) {
    return switch (kind) {
      case TEXT, UUID -> Function.identity();
      case VARIABLE_DECIMAL -> value -> ((BigDecimal) value).toPlainString();
      default -> null;
    };
  }

  private static Function<Object, Object> fixed(int length) {
    return value -> {
      if (((byte[]) value).length != length) {
        throw new ValueRejected(
            Code.TYPE_MISMATCH, "bytes of another length than the column's " + length);
      }
      return value;
    };
  }

  private static Object wholeMicros(Object value) {
    if (nanoOf(value) % 1000 != 0) {
      throw new ValueRejected(
          Code.TIMESTAMP_OUT_OF_RANGE, "a fraction finer than the column's microseconds");
    }
    return value;
  }

  private static Object flooredMicros(Object value) {
    return value instanceof Instant instant
        ? instant.truncatedTo(ChronoUnit.MICROS)
        : ((LocalDateTime) value).truncatedTo(ChronoUnit.MICROS);
  }

  private static Object nanosInRange(Object value) {
    BigInteger nanos =
        BigInteger.valueOf(secondOf(value))
            .multiply(BigInteger.valueOf(TimeReader.NANOS_PER_SECOND))
            .add(BigInteger.valueOf(nanoOf(value)));
    if (nanos.bitLength() >= Long.SIZE) {
      throw new ValueRejected(
          Code.TIMESTAMP_OUT_OF_RANGE, "a timestamp beyond the range of 64-bit nanoseconds");
    }
    return value;
  }

  private static int nanoOf(Object value) {
    return value instanceof Instant instant ? instant.getNano() : ((LocalDateTime) value).getNano();
  }

  private static long secondOf(Object value) {
    return value instanceof Instant instant
        ? instant.getEpochSecond()
        : ((LocalDateTime) value).toEpochSecond(ZoneOffset.UTC);
  }
}
