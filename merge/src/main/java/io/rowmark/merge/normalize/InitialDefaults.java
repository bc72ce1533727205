package io.rowmark.merge.normalize;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.jspecify.annotations.Nullable;

/**
 * A column's initial default as a row value. Events older than the column are written with it, so
 * that a row is the same whether it was written before or after the column came (Iceberg table
 * spec, "Default values").
 */
final class InitialDefaults {
  private InitialDefaults() {}

  static @Nullable Object rowValue(Types.NestedField column) {
    Object value = column.initialDefault();
    if (value == null) {
      return null;
    }
    return switch (column.type().typeId()) {
      case STRING, UUID -> value.toString();
      case DATE -> LocalDate.ofEpochDay((Integer) value);
      case TIMESTAMP -> {
        Instant instant = Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
        yield ((Types.TimestampType) column.type()).shouldAdjustToUTC()
            ? instant
            : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
      }
      case BINARY, FIXED -> ByteBuffers.toByteArray((ByteBuffer) value);
      case DECIMAL -> (BigDecimal) value;
      default -> value;
    };
  }
}
