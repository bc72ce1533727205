package io.rowmark.merge.record;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** The values of Iceberg's generic records, by the types of their table. */
final class TableValues {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private TableValues() {}

  /**
   * @param column name for messages
   * @throws RowmarkException SOURCE for a type whose values are not read
   */
  static FileValue of(String column, Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> same(Plain.BOOLEAN);
      case INTEGER -> same(Plain.INT);
      case LONG -> same(Plain.LONG);
      case FLOAT -> new FileValue(Plain.FLOAT, value -> ((Float) value).doubleValue());
      case DOUBLE -> same(Plain.DOUBLE);
      case STRING -> new FileValue(Plain.STRING, Object::toString);
      case UUID -> new FileValue(Plain.UUID, Object::toString);
      case BINARY, FIXED -> new FileValue(Plain.BYTES, TableValues::bytes);
      case DATE ->
          new FileValue(Plain.DATE, value -> Math.toIntExact(((LocalDate) value).toEpochDay()));
      case TIME ->
          new FileValue(Plain.TIME_MICROS, value -> ((LocalTime) value).toNanoOfDay() / 1000);
      case TIMESTAMP, TIMESTAMP_NANO -> timestamp(type);
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield same(new Decimal(decimal.precision(), decimal.scale(), Decimal.Encoding.NUMBER));
      }
      case STRUCT -> struct(column, type.asStructType());
      case LIST -> list(of(column, type.asListType().elementType()));
      case MAP -> map(column, type.asMapType());
      default ->
          throw RowmarkException.source(
              "Column '%s' of the source table is of type %s, which is not read from tables. Feed from a view or copy without it."
                  .formatted(column, type));
    };
  }

  private static FileValue same(SourceType type) {
    return new FileValue(type, value -> value);
  }

  private static FileValue timestamp(Type type) {
    boolean nanos = type.typeId() == Type.TypeID.TIMESTAMP_NANO;
    ChronoUnit unit = nanos ? ChronoUnit.NANOS : ChronoUnit.MICROS;
    boolean instant =
        nanos
            ? ((Types.TimestampNanoType) type).shouldAdjustToUTC()
            : ((Types.TimestampType) type).shouldAdjustToUTC();
    return instant
        ? new FileValue(
            nanos ? Plain.INSTANT_NANOS : Plain.INSTANT_MICROS,
            value ->
                unit.between(
                    EPOCH,
                    ((OffsetDateTime) value)
                        .withOffsetSameInstant(ZoneOffset.UTC)
                        .toLocalDateTime()))
        : new FileValue(
            nanos ? Plain.TIMESTAMP_NANOS : Plain.TIMESTAMP_MICROS,
            value -> unit.between(EPOCH, (LocalDateTime) value));
  }

  private static Object bytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    return value;
  }

  private static FileValue list(FileValue element) {
    return new FileValue(
        new ListOf(element.type()),
        value -> {
          List<@Nullable Object> items = new ArrayList<>();
          ((List<?>) value).forEach(item -> items.add(element.apply(item)));
          return items;
        });
  }

  private static FileValue map(String column, Types.MapType type) {
    if (type.keyType().typeId() != Type.TypeID.STRING) {
      throw RowmarkException.source(
          "Column '%s' of the source table is of type %s; only maps with text keys are read from tables. Feed from a view or copy without it."
              .formatted(column, type));
    }
    FileValue values = of(column, type.valueType());
    return new FileValue(
        new MapOf(values.type()),
        value -> {
          Map<String, @Nullable Object> entries = new LinkedHashMap<>();
          ((Map<?, ?>) value)
              .forEach((key, item) -> entries.put(key.toString(), values.apply(item)));
          return entries;
        });
  }

  private static FileValue struct(String column, Types.StructType type) {
    List<SourceField> fields = new ArrayList<>();
    List<FileValue> values = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Types.NestedField field : type.fields()) {
      String place = column.isEmpty() ? field.name() : column + "." + field.name();
      FileValue value = of(place, field.type());
      Presence presence = field.isOptional() ? Presence.OPTIONAL : Presence.REQUIRED;
      fields.add(new SourceField(field.name(), value.type(), presence, null));
      values.add(value);
      names.add(field.name());
    }
    return new FileValue(
        new StructOf(fields),
        record -> {
          Map<String, @Nullable Object> row = new LinkedHashMap<>();
          for (int i = 0; i < names.size(); i++) {
            row.put(names.get(i), values.get(i).apply(((StructLike) record).get(i, Object.class)));
          }
          return row;
        });
  }
}
