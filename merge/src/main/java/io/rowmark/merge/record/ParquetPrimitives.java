package io.rowmark.merge.record;

import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Plain;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Single values of Parquet data by their type; see parquet-format, "LogicalTypes". */
final class ParquetPrimitives {
  private static final long JULIAN_EPOCH_DAY = 2_440_588L;
  private static final long DAY_NANOS = 86_400_000_000_000L;

  private static final Map<TimeUnit, Plain> TIMES =
      Map.of(
          TimeUnit.MILLIS, Plain.TIME_MILLIS,
          TimeUnit.MICROS, Plain.TIME_MICROS,
          TimeUnit.NANOS, Plain.TIME_NANOS);
  private static final Map<TimeUnit, Plain> INSTANTS =
      Map.of(
          TimeUnit.MILLIS, Plain.INSTANT_MILLIS,
          TimeUnit.MICROS, Plain.INSTANT_MICROS,
          TimeUnit.NANOS, Plain.INSTANT_NANOS);
  private static final Map<TimeUnit, Plain> TIMESTAMPS =
      Map.of(
          TimeUnit.MILLIS, Plain.TIMESTAMP_MILLIS,
          TimeUnit.MICROS, Plain.TIMESTAMP_MICROS,
          TimeUnit.NANOS, Plain.TIMESTAMP_NANOS);

  private ParquetPrimitives() {}

  static FileValue of(PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> new FileValue(Plain.BOOLEAN, value -> value);
      case FLOAT -> new FileValue(Plain.FLOAT, value -> ((Float) value).doubleValue());
      case DOUBLE -> new FileValue(Plain.DOUBLE, value -> value);
      case INT96 -> new FileValue(Plain.INSTANT_NANOS, ParquetPrimitives::nanosOfInt96);
      case INT32, INT64 -> whole(type.getPrimitiveTypeName(), annotation);
      case BINARY, FIXED_LEN_BYTE_ARRAY -> binary(annotation);
    };
  }

  private static FileValue whole(
      PrimitiveTypeName stored, @Nullable LogicalTypeAnnotation annotation) {
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return new FileValue(
          new Decimal(decimal.getPrecision(), decimal.getScale(), Decimal.Encoding.NUMBER),
          value -> BigDecimal.valueOf(((Number) value).longValue(), decimal.getScale()));
    } else if (annotation instanceof TimeLogicalTypeAnnotation time) {
      return plain(Objects.requireNonNull(TIMES.get(time.getUnit())));
    } else if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      Map<TimeUnit, Plain> types = timestamp.isAdjustedToUTC() ? INSTANTS : TIMESTAMPS;
      return plain(Objects.requireNonNull(types.get(timestamp.getUnit())));
    } else if (annotation instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) {
      return plain(Plain.DATE);
    } else if (annotation instanceof IntLogicalTypeAnnotation number && !number.isSigned()) {
      return number.getBitWidth() == Long.SIZE
          ? new FileValue(
              new Decimal(20, 0, Decimal.Encoding.NUMBER),
              value -> new BigDecimal(new BigInteger(Long.toUnsignedString((Long) value))))
          : number.getBitWidth() == Integer.SIZE
              ? new FileValue(Plain.LONG, value -> Integer.toUnsignedLong((Integer) value))
              : plain(Plain.INT);
    }
    return plain(stored == PrimitiveTypeName.INT32 ? Plain.INT : Plain.LONG);
  }

  private static FileValue plain(Plain type) {
    return new FileValue(type, value -> value);
  }

  private static FileValue binary(@Nullable LogicalTypeAnnotation annotation) {
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return new FileValue(
          new Decimal(decimal.getPrecision(), decimal.getScale()), ParquetPrimitives::bytes);
    } else if (annotation instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation
        || annotation instanceof LogicalTypeAnnotation.EnumLogicalTypeAnnotation
        || annotation instanceof LogicalTypeAnnotation.JsonLogicalTypeAnnotation) {
      return new FileValue(Plain.STRING, value -> ((Binary) value).toStringUsingUTF8());
    } else if (annotation instanceof LogicalTypeAnnotation.UUIDLogicalTypeAnnotation) {
      return new FileValue(
          Plain.UUID,
          value -> {
            ByteBuffer buffer = ByteBuffer.wrap(((Binary) value).getBytes());
            return new UUID(buffer.getLong(), buffer.getLong()).toString();
          });
    }
    return new FileValue(Plain.BYTES, ParquetPrimitives::bytes);
  }

  /** The stored value without its annotation, for semantic names. */
  static Function<Object, @Nullable Object> bare(PrimitiveType type) {
    boolean text =
        type.getLogicalTypeAnnotation() instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation
            || type.getLogicalTypeAnnotation()
                instanceof LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
    return value -> {
      if (value instanceof Binary binary) {
        return text ? binary.toStringUsingUTF8() : binary.getBytes();
      }
      return value instanceof Float f ? (Object) f.doubleValue() : value;
    };
  }

  private static Object bytes(Object value) {
    return ((Binary) value).getBytes();
  }

  /**
   * Nanoseconds of the day and Julian day, little-endian, of an instant, as Spark and Hive wrote.
   */
  private static Object nanosOfInt96(Object value) {
    ByteBuffer buffer = ((Binary) value).toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    long nanoOfDay = buffer.getLong();
    long day = Integer.toUnsignedLong(buffer.getInt()) - JULIAN_EPOCH_DAY;
    return BigInteger.valueOf(day)
        .multiply(BigInteger.valueOf(DAY_NANOS))
        .add(BigInteger.valueOf(nanoOfDay));
  }
}
