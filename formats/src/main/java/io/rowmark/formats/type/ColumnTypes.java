package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.SourceField;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** The Iceberg type that a new column of a source type gets. */
public final class ColumnTypes {
  private static final int MAX_PRECISION = 38;

  private ColumnTypes() {}

  /**
   * The Iceberg type, of types that every engine and format version reads. In particular time of
   * day is text (Spark has no such Iceberg type) and nanosecond timestamps are timestamps of
   * microseconds (Spark reads no timestamp_ns).
   *
   * <p>Nested types are numbered from 1; Iceberg numbers them anew when a column is added.
   *
   * @throws RowmarkException CONFIG when the type is still unknown, or a decimal whose scale is
   *     more than Iceberg's 38
   */
  public static Type icebergType(SourceType source) {
    return icebergType(source, new AtomicInteger(1)::getAndIncrement);
  }

  /**
   * As {@link #icebergType(SourceType)}, for building a whole schema.
   *
   * @param nextId field ids for list elements, map keys and values, and struct fields
   */
  public static Type icebergType(SourceType source, IntSupplier nextId) {
    if (source instanceof Plain plain) {
      return plain(plain);
    } else if (source instanceof SourceType.Decimal decimal) {
      return decimal(decimal.precision(), decimal.scale());
    } else if (source instanceof SourceType.VariableDecimal decimal) {
      return decimal(decimal.precision(), decimal.scale());
    } else if (source instanceof SourceType.Bits) {
      return Types.BinaryType.get();
    } else if (source instanceof SourceType.ListOf list) {
      int id = nextId.getAsInt();
      return Types.ListType.ofOptional(id, icebergType(list.element(), nextId));
    } else if (source instanceof SourceType.MapOf map) {
      int key = nextId.getAsInt();
      int value = nextId.getAsInt();
      return Types.MapType.ofOptional(
          key, value, Types.StringType.get(), icebergType(map.value(), nextId));
    }
    List<Types.NestedField> fields = new ArrayList<>();
    for (SourceField field : ((SourceType.StructOf) source).fields()) {
      if (isKnown(field.type())) {
        int id = nextId.getAsInt();
        fields.add(Types.NestedField.optional(id, field.name(), icebergType(field.type(), nextId)));
      }
    }
    return Types.StructType.of(fields);
  }

  /**
   * Whether {@link #icebergType} gives a type. Of a struct the known fields suffice; the others are
   * left out.
   */
  public static boolean isKnown(SourceType source) {
    if (source instanceof SourceType.ListOf list) {
      return isKnown(list.element());
    } else if (source instanceof SourceType.MapOf map) {
      return isKnown(map.value());
    } else if (source instanceof SourceType.StructOf struct) {
      return struct.fields().stream().anyMatch(field -> isKnown(field.type()));
    }
    return source != Plain.INFERRED;
  }

  private static Type plain(Plain plain) {
    return switch (plain) {
      case INFERRED ->
          throw RowmarkException.config(
              "The type of a column is unknown: its events carry no types and no value was seen."
                  + " Declare its source type.");
      case BOOLEAN -> Types.BooleanType.get();
      case INT -> Types.IntegerType.get();
      case LONG, WHOLE_NUMBER, DURATION_MICROS, DURATION_NANOS -> Types.LongType.get();
      case FLOAT -> Types.FloatType.get();
      case DOUBLE, FRACTION -> Types.DoubleType.get();
      case STRING,
          TIME_MILLIS,
          TIME_MICROS,
          TIME_NANOS,
          ZONED_TIME,
          ISO_TIME,
          STRUCTURED_TIME,
          UUID_TEXT,
          VARIABLE_DECIMAL_TEXT ->
          Types.StringType.get();
      case BYTES -> Types.BinaryType.get();
      case DATE, ISO_DATE, STRUCTURED_DATE -> Types.DateType.get();
      case TIMESTAMP_MILLIS,
          TIMESTAMP_MICROS,
          TIMESTAMP_NANOS,
          ISO_TIMESTAMP,
          STRUCTURED_TIMESTAMP ->
          Types.TimestampType.withoutZone();
      case INSTANT_MILLIS,
          INSTANT_MICROS,
          INSTANT_NANOS,
          ZONED_TIMESTAMP,
          STRUCTURED_ZONED_TIMESTAMP ->
          Types.TimestampType.withZone();
      case UUID -> Types.UUIDType.get();
    };
  }

  /** Oracle's scales may be negative, or larger than the precision. */
  private static Type decimal(int precision, int scale) {
    if (scale > MAX_PRECISION) {
      throw RowmarkException.config(
          ("A source decimal has %s digits after the point; Iceberg holds at most %s. Let the source"
                  + " write it as text (decimal.handling.mode=string).")
              .formatted(scale, MAX_PRECISION));
    }
    int digits = scale < 0 ? precision - scale : Math.max(precision, scale);
    return Types.DecimalType.of(Math.min(digits, MAX_PRECISION), Math.max(scale, 0));
  }
}
