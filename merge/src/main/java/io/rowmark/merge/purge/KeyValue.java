package io.rowmark.merge.purge;

import io.rowmark.formats.change.RowValues.ZeroDates;
import io.rowmark.formats.key.KeyForm;
import io.rowmark.formats.key.KeySpec.KeyColumn;
import io.rowmark.formats.type.ColumnDeclaration;
import io.rowmark.formats.type.Fraction;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.TextValues;
import io.rowmark.formats.type.ValueDecoder;
import io.rowmark.formats.type.ValueRejected;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.jspecify.annotations.Nullable;

/** Reads the values of one key column as events of text hold them, and holds them as keys do. */
record KeyValue(Type type, ValueDecoder decoder) {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  /**
   * @param declared how the pipeline's events hold the column; null for nothing said
   */
  static KeyValue of(KeyColumn column, @Nullable ColumnDeclaration declared) {
    SourceType told = declared == null ? null : declared.type();
    SourceType source =
        told == null && column.type().typeId() == TypeID.UUID
            ? Plain.UUID
            : Objects.requireNonNullElse(told, Plain.INFERRED);
    return new KeyValue(
        column.type(),
        TextValues.decoder(
            column.name(), source, column.type(), Fraction.REJECT, ZeroDates.REJECT));
  }

  /**
   * @return a Long or a byte[]
   * @throws ValueRejected when the column cannot hold the value exactly
   */
  Object encode(Object value) {
    return KeyForm.encode(type, internal(Objects.requireNonNull(decoder.decode(value))));
  }

  /** As Iceberg's expressions hold it. */
  private Object internal(Object value) {
    return switch (type.typeId()) {
      case UUID -> UUID.fromString((String) value);
      case DATE -> ((LocalDate) value).toEpochDay();
      case TIMESTAMP -> ChronoUnit.MICROS.between(EPOCH, local(value));
      default -> value;
    };
  }

  private static LocalDateTime local(Object value) {
    return value instanceof Instant instant
        ? instant.atOffset(ZoneOffset.UTC).toLocalDateTime()
        : (LocalDateTime) value;
  }
}
