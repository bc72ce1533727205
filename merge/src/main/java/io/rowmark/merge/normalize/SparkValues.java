package io.rowmark.merge.normalize;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType;
import io.rowmark.formats.type.SourceType.Decimal;
import io.rowmark.formats.type.SourceType.ListOf;
import io.rowmark.formats.type.SourceType.MapOf;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.SourceType.StructOf;
import io.rowmark.merge.record.FileValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/** The values of Spark's rows, with times of Java's time API, by their schema. */
final class SparkValues {
  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private SparkValues() {}

  /**
   * The values of rows of a schema.
   *
   * @throws RowmarkException SOURCE for a type whose values are not read
   */
  static FileValue of(StructType schema) {
    return struct("", schema);
  }

  private static FileValue of(String column, DataType type) {
    if (type instanceof StructType struct) {
      return struct(column, struct);
    } else if (type instanceof ArrayType array) {
      return list(of(column, array.elementType()));
    } else if (type instanceof MapType map) {
      return map(column, map);
    } else if (type instanceof DecimalType decimal) {
      return new FileValue(
          new Decimal(decimal.precision(), decimal.scale(), Decimal.Encoding.NUMBER),
          value -> (BigDecimal) value);
    }
    FileValue plain = plain(type);
    if (plain == null) {
      throw RowmarkException.source(
          "Column '%s' of the source table is of type %s, which is not read from tables. Feed from a view or copy without it."
              .formatted(column, type.sql()));
    }
    return plain;
  }

  private static @Nullable FileValue plain(DataType type) {
    if (type instanceof StringType) {
      // char and varchar among them
      return new FileValue(Plain.STRING, Object::toString);
    } else if (type instanceof LongType) {
      return same(Plain.LONG);
    } else if (type instanceof IntegerType) {
      return same(Plain.INT);
    } else if (type instanceof ShortType || type instanceof ByteType) {
      return new FileValue(Plain.INT, value -> ((Number) value).intValue());
    } else if (type instanceof BooleanType) {
      return same(Plain.BOOLEAN);
    } else if (type instanceof DoubleType) {
      return same(Plain.DOUBLE);
    } else if (type instanceof FloatType) {
      return new FileValue(Plain.FLOAT, value -> ((Float) value).doubleValue());
    } else if (type instanceof BinaryType) {
      return same(Plain.BYTES);
    } else if (type instanceof DateType) {
      return new FileValue(Plain.DATE, value -> Math.toIntExact(((LocalDate) value).toEpochDay()));
    } else if (type instanceof TimestampType) {
      return new FileValue(
          Plain.INSTANT_MICROS,
          value -> micros(((Instant) value).atOffset(ZoneOffset.UTC).toLocalDateTime()));
    } else if (type instanceof TimestampNTZType) {
      return new FileValue(Plain.TIMESTAMP_MICROS, value -> micros((LocalDateTime) value));
    }
    return null;
  }

  private static FileValue same(SourceType type) {
    return new FileValue(type, value -> value);
  }

  private static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(EPOCH, time);
  }

  private static FileValue list(FileValue element) {
    return new FileValue(
        new ListOf(element.type()),
        value -> {
          List<@Nullable Object> items = new ArrayList<>();
          scala.jdk.javaapi.CollectionConverters.asJava((scala.collection.Seq<?>) value)
              .forEach(item -> items.add(element.apply(item)));
          return items;
        });
  }

  private static FileValue map(String column, MapType type) {
    if (!(type.keyType() instanceof StringType)) {
      throw RowmarkException.source(
          "Column '%s' of the source table is of type %s; only maps with text keys are read from tables. Feed from a view or copy without it."
              .formatted(column, type.sql()));
    }
    FileValue values = of(column, type.valueType());
    return new FileValue(
        new MapOf(values.type()),
        value -> {
          Map<String, @Nullable Object> entries = new LinkedHashMap<>();
          scala.jdk.javaapi.CollectionConverters.asJava((scala.collection.Map<?, ?>) value)
              .forEach((key, item) -> entries.put(key.toString(), values.apply(item)));
          return entries;
        });
  }

  private static FileValue struct(String column, StructType type) {
    List<SourceField> fields = new ArrayList<>();
    List<FileValue> values = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (StructField field : type.fields()) {
      String place = column.isEmpty() ? field.name() : column + "." + field.name();
      FileValue value = of(place, field.dataType());
      Presence presence = field.nullable() ? Presence.OPTIONAL : Presence.REQUIRED;
      fields.add(new SourceField(field.name(), value.type(), presence, null));
      values.add(value);
      names.add(field.name());
    }
    return new FileValue(
        new StructOf(fields),
        record -> {
          Map<String, @Nullable Object> row = new LinkedHashMap<>();
          for (int i = 0; i < names.size(); i++) {
            row.put(names.get(i), values.get(i).apply(((Row) record).get(i)));
          }
          return row;
        });
  }
}
