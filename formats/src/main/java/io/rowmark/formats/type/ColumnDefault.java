package io.rowmark.formats.type;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.Decimal.Encoding;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.SourceField;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Default values of new columns, as Iceberg literals. Only format version 3 stores them; the caller
 * decides.
 */
public final class ColumnDefault {
  private ColumnDefault() {}

  /**
   * A default that the user declared: a number, true or false, an ISO date, timestamp or timestamp
   * with offset, a UUID, base64 for binary, or the text itself.
   *
   * @param column name for messages
   * @throws RowmarkException CONFIG when the text is no value of the column's type, or the type is
   *     nested
   */
  public static Literal<?> ofText(String column, String text, Type type) {
    try {
      Object value =
          ValueDecoder.decoder(column, textSource(type), type).decode(asSource(text, type));
      if (value != null && type.isPrimitiveType() && !isNaN(value)) {
        return literal(value, type);
      }
    } catch (ValueRejected e) {
      throw RowmarkException.config(
          "The default of column '%s' is no %s: %s. Correct it or leave it out."
              .formatted(column, type, e.reason()));
    }
    throw RowmarkException.config(
        ("Column '%s' of type %s takes no such default: Iceberg has none of nested types, nor NaN."
                + " Leave it out.")
            .formatted(column, type));
  }

  /**
   * The default that the source's schema tells; empty for none, for a nested type, and for one that
   * the column cannot hold (an infinity, say). Debezium tells constants only: a source default such
   * as {@code now()} arrives as an arbitrary value or not at all.
   */
  public static Optional<Literal<?>> ofSource(SourceField field, Type type) {
    if (field.defaultValue() == null || !type.isPrimitiveType()) {
      return Optional.empty();
    }
    try {
      Object value =
          ValueDecoder.decoder(field.name(), field.type(), type).decode(field.defaultValue());
      return value == null || isNaN(value) ? Optional.empty() : Optional.of(literal(value, type));
    } catch (ValueRejected e) {
      return Optional.empty();
    }
  }

  /** Iceberg has no literal for NaN. */
  private static boolean isNaN(Object value) {
    return value instanceof Number number && Double.isNaN(number.doubleValue());
  }

  private static SourceType textSource(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> Plain.BOOLEAN;
      case INTEGER, LONG -> Plain.LONG;
      case FLOAT -> Plain.FLOAT;
      case DOUBLE -> Plain.DOUBLE;
      case DECIMAL -> new Decimal(38, 0, Encoding.TEXT);
      case DATE -> Plain.ISO_DATE;
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? Plain.ZONED_TIMESTAMP
              : Plain.ISO_TIMESTAMP;
      case UUID -> Plain.UUID_TEXT;
      case BINARY, FIXED -> Plain.BYTES;
      default -> Plain.STRING;
    };
  }

  private static Object asSource(String text, Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> "true".equals(text) ? true : "false".equals(text) ? false : text;
      case INTEGER, LONG -> NumberReader.textDecimal(text);
      case FLOAT, DOUBLE ->
          NumberReader.SPECIAL.containsKey(text) ? text : NumberReader.textDecimal(text);
      default -> text;
    };
  }

  private static Literal<?> literal(Object value, Type type) {
    Literal<?> literal;
    if (value instanceof LocalDate date) {
      literal = Expressions.lit((int) date.toEpochDay());
    } else if (value instanceof LocalDateTime timestamp) {
      literal = Expressions.micros(micros(timestamp.toInstant(ZoneOffset.UTC)));
    } else if (value instanceof Instant instant) {
      literal = Expressions.micros(micros(instant));
    } else if (value instanceof byte[] bytes) {
      literal = Expressions.lit(ByteBuffer.wrap(bytes));
    } else if (value instanceof String text && type.typeId() == Type.TypeID.UUID) {
      literal = Expressions.lit(java.util.UUID.fromString(text));
    } else if (value instanceof BigDecimal decimal) {
      literal = Expressions.lit(decimal);
    } else {
      literal = Expressions.lit(value);
    }
    return literal.to(type);
  }

  private static long micros(Instant instant) {
    // Not ChronoUnit.between: it goes through nanoseconds, which overflow after the year 2262.
    return instant.getEpochSecond() * 1_000_000L + instant.getNano() / 1000;
  }
}
