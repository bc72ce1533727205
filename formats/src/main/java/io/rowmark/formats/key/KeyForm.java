package io.rowmark.formats.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * How the values of a key column are held so that they compare fast and as Parquet orders them
 * (parquet-format, LogicalTypes): numbers with sign, text by unsigned UTF-8 bytes, uuid, fixed and
 * binary by unsigned bytes.
 */
public enum KeyForm {
  /**
   * A long: boolean (0, 1), integers, dates, times, timestamps, and the unscaled value of decimals
   * of up to 18 digits.
   */
  LONG,
  /**
   * Bytes, compared without sign. Decimals of more than 18 digits are held as 16 bytes, big-endian,
   * with the sign bit flipped, so that they fit this order too.
   */
  BYTES;

  private static final int LONG_DIGITS = 18;
  private static final int DECIMAL_BYTES = 16;

  /**
   * The form of a type that {@link KeySpec#checkType} admits.
   *
   * @throws IllegalArgumentException for any other type
   */
  public static KeyForm of(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN, INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> LONG;
      case STRING, UUID, FIXED, BINARY -> BYTES;
      case DECIMAL -> ((Types.DecimalType) type).precision() <= LONG_DIGITS ? LONG : BYTES;
      default -> throw new IllegalArgumentException("Not a key type: " + type);
    };
  }

  /**
   * A value as Iceberg's expressions and partitions hold it (dates as days, timestamps as
   * microseconds or nanoseconds), in this form.
   *
   * @return a Long or a byte[]
   */
  public static Object encode(Type type, Object value) {
    return switch (type.typeId()) {
      case BOOLEAN -> (Boolean) value ? 1L : 0L;
      case INTEGER, LONG, DATE, TIME, TIMESTAMP, TIMESTAMP_NANO -> ((Number) value).longValue();
      case STRING -> value.toString().getBytes(StandardCharsets.UTF_8);
      case UUID -> bytes((UUID) value);
      case FIXED, BINARY -> value instanceof byte[] bytes ? bytes : bytes((ByteBuffer) value);
      case DECIMAL -> unscaled(type, ((BigDecimal) value).unscaledValue());
      default -> throw new IllegalArgumentException("Not a key type: " + type);
    };
  }

  /**
   * A bound as manifests hold it (Iceberg table spec, "Binary single-value serialization"). An int
   * bound of a column that is a long by now is understood.
   *
   * @return a Long or a byte[]
   */
  public static Object bound(Type type, ByteBuffer bound) {
    return encode(type, Conversions.fromByteBuffer(type, bound));
  }

  /**
   * A decimal given by its unscaled value, in the form of its type.
   *
   * @return a Long or a byte[]
   */
  public static Object unscaled(Type type, BigInteger value) {
    return of(type) == LONG ? (Object) value.longValueExact() : decimalBytes(value.toByteArray());
  }

  /**
   * An unscaled decimal value of any length in bytes, two's complement and big-endian, as 16 bytes
   * in unsigned order.
   */
  public static byte[] decimalBytes(byte[] unscaled) {
    byte[] wide = new byte[DECIMAL_BYTES];
    int surplus = Math.max(0, unscaled.length - DECIMAL_BYTES);
    int length = unscaled.length - surplus;
    if (length > 0 && unscaled[0] < 0) {
      Arrays.fill(wide, 0, DECIMAL_BYTES - length, (byte) -1);
    }
    System.arraycopy(unscaled, surplus, wide, DECIMAL_BYTES - length, length);
    wide[0] ^= (byte) 0x80;
    return wide;
  }

  /** Compares two values of one form. */
  public static int compare(Object one, Object other) {
    return one instanceof Long number
        ? number.compareTo((Long) other)
        : Arrays.compareUnsigned((byte[]) one, (byte[]) other);
  }

  private static byte[] bytes(UUID value) {
    return ByteBuffer.allocate(16)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }
}
