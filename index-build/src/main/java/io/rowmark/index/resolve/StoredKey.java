package io.rowmark.index.resolve;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec.KeyColumn;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * A key column as one file stores it, which may be narrower than the key is now (Iceberg table
 * spec, "Schema Evolution": int to long, more decimal digits).
 */
final class StoredKey {
  private enum Decoding {
    BOOLEAN,
    INT,
    LONG,
    RAW,
    /** Unscaled decimal as bytes, of a key held as long. */
    SHORT_DECIMAL,
    /** Unscaled decimal as bytes, of a key held as bytes. */
    LONG_DECIMAL,
    /** Unscaled decimal as int, of a key held as bytes. */
    INT_DECIMAL,
    /** Unscaled decimal as long, of a key held as bytes. */
    INT64_DECIMAL
  }

  private final ColumnDescriptor column;
  private final Decoding decoding;

  private StoredKey(ColumnDescriptor column, Decoding decoding) {
    this.column = column;
    this.decoding = decoding;
  }

  /**
   * @param file path for the message
   * @throws RowmarkException TABLE_STATE when the file stores the column in a way that Iceberg does
   *     not for its type
   */
  static StoredKey of(KeyColumn key, ColumnDescriptor column, String file) {
    PrimitiveType stored = column.getPrimitiveType();
    Decoding decoding = column.getMaxRepetitionLevel() == 0 ? decoding(key.type(), stored) : null;
    if (decoding == null) {
      throw RowmarkException.tableState(
          "Index file '%s' stores the key column '%s', which is of type %s, as '%s'. Run 'rowmark index build'."
              .formatted(file, key.name(), key.type(), stored));
    }
    return new StoredKey(column, decoding);
  }

  private static @Nullable Decoding decoding(Type type, PrimitiveType stored) {
    PrimitiveTypeName physical = stored.getPrimitiveTypeName();
    return switch (type.typeId()) {
      case BOOLEAN -> physical == PrimitiveTypeName.BOOLEAN ? Decoding.BOOLEAN : null;
      case INTEGER, DATE -> physical == PrimitiveTypeName.INT32 ? Decoding.INT : null;
      case LONG ->
          physical == PrimitiveTypeName.INT32
              ? Decoding.INT
              : physical == PrimitiveTypeName.INT64 ? Decoding.LONG : null;
      case TIME -> physical == PrimitiveTypeName.INT64 ? Decoding.LONG : null;
      case TIMESTAMP -> isTimestamp(stored, TimeUnit.MICROS) ? Decoding.LONG : null;
      case TIMESTAMP_NANO -> isTimestamp(stored, TimeUnit.NANOS) ? Decoding.LONG : null;
      case STRING, BINARY -> physical == PrimitiveTypeName.BINARY ? Decoding.RAW : null;
      case UUID, FIXED -> physical == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY ? Decoding.RAW : null;
      case DECIMAL -> decimal((Types.DecimalType) type, stored);
      default -> null;
    };
  }

  private static boolean isTimestamp(PrimitiveType stored, TimeUnit unit) {
    return stored.getPrimitiveTypeName() == PrimitiveTypeName.INT64
        && stored.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation timestamp
        && timestamp.getUnit() == unit;
  }

  private static @Nullable Decoding decimal(Types.DecimalType type, PrimitiveType stored) {
    LogicalTypeAnnotation logical = stored.getLogicalTypeAnnotation();
    if (!(logical instanceof DecimalLogicalTypeAnnotation decimal)
        || decimal.getScale() != type.scale()) {
      return null;
    }
    boolean isLong = KeyForm.of(type) == KeyForm.LONG;
    return switch (stored.getPrimitiveTypeName()) {
      case INT32 -> isLong ? Decoding.INT : Decoding.INT_DECIMAL;
      case INT64 -> isLong ? Decoding.LONG : Decoding.INT64_DECIMAL;
      case BINARY, FIXED_LEN_BYTE_ARRAY -> isLong ? Decoding.SHORT_DECIMAL : Decoding.LONG_DECIMAL;
      default -> null;
    };
  }

  ColumnDescriptor column() {
    return column;
  }

  /** The next value of a reader, for a key of form LONG. */
  long readLong(ValuesReader reader) {
    return switch (decoding) {
      case LONG -> reader.readLong();
      case INT -> reader.readInteger();
      case BOOLEAN -> reader.readBoolean() ? 1 : 0;
      case SHORT_DECIMAL -> new BigInteger(reader.readBytes().getBytesUnsafe()).longValueExact();
      default -> throw new IllegalStateException("Not a number: " + decoding);
    };
  }

  /** The next value of a reader, for a key of form BYTES; not to be changed. */
  byte[] readBytes(ValuesReader reader) {
    return switch (decoding) {
      case RAW -> reader.readBytes().getBytesUnsafe();
      case LONG_DECIMAL -> KeyForm.decimalBytes(reader.readBytes().getBytesUnsafe());
      case INT_DECIMAL -> decimalBytes(reader.readInteger());
      case INT64_DECIMAL -> decimalBytes(reader.readLong());
      default -> throw new IllegalStateException("Not bytes: " + decoding);
    };
  }

  /** A bound of this column in the file's statistics, in the key's form. */
  Object bound(ByteBuffer plain) {
    ByteBuffer value = plain.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return switch (decoding) {
      case BOOLEAN -> value.get() == 0 ? 0L : 1L;
      case INT -> (long) value.getInt();
      case LONG -> value.getLong();
      case RAW -> bytes(value);
      case SHORT_DECIMAL -> new BigInteger(bytes(value)).longValueExact();
      case LONG_DECIMAL -> KeyForm.decimalBytes(bytes(value));
      case INT_DECIMAL -> decimalBytes(value.getInt());
      case INT64_DECIMAL -> decimalBytes(value.getLong());
    };
  }

  private static byte[] decimalBytes(long unscaled) {
    return KeyForm.decimalBytes(BigInteger.valueOf(unscaled).toByteArray());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
