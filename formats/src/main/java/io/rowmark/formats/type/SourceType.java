package io.rowmark.formats.type;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column as its source describes it: a Kafka Connect base type with the Debezium or
 * Connect semantic name that says how to read it.
 */
public sealed interface SourceType extends Serializable {

  /** Kinds without parameters. */
  enum Plain implements SourceType {
    /** No type known: the JSON kind decides (integer, fraction, boolean, text, list). */
    INFERRED,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    /** Base64 text. */
    BYTES,
    /** Days since 1970-01-01. */
    DATE,
    TIME_MILLIS,
    TIME_MICROS,
    TIME_NANOS,
    /** Wall clock, no zone, as milliseconds since 1970-01-01T00:00 (likewise micros, nanos). */
    TIMESTAMP_MILLIS,
    TIMESTAMP_MICROS,
    TIMESTAMP_NANOS,
    /** ISO text with an offset: an instant. */
    ZONED_TIMESTAMP,
    /** ISO time text with an offset; kept as text, Iceberg has no such type. */
    ZONED_TIME,
    DURATION_MICROS,
    DURATION_NANOS,
    /** 36-character text form, kept as text. */
    UUID_TEXT,
    /** 36-character text form, stored as Iceberg uuid. */
    UUID,
    /** Struct {scale, value}: exact, kept as plain text since each row has its own scale. */
    VARIABLE_DECIMAL_TEXT
  }

  /** Decimal of a fixed scale, written as base64, text or number. */
  record Decimal(int precision, int scale) implements SourceType {}

  /** Struct {scale, value}, fitted exactly to one scale. */
  record VariableDecimal(int precision, int scale) implements SourceType {}

  /** Little-endian bits in base64, kept as bytes. */
  record Bits(@Nullable Integer length) implements SourceType {}

  /** A list of one element type. */
  record ListOf(SourceType element) implements SourceType {}

  /** A map with text keys. */
  record MapOf(SourceType value) implements SourceType {}

  /** A nested struct. */
  record StructOf(List<SourceField> fields) implements SourceType {
    public StructOf {
      fields = List.copyOf(fields);
    }
  }

  /**
   * One column or struct field.
   *
   * @param defaultValue the source's default, as the JSON value in the event's schema; null for
   *     none
   */
  record SourceField(
      String name, SourceType type, Presence presence, @Nullable Serializable defaultValue)
      implements Serializable {}

  /** Whether the source allows null. */
  enum Presence {
    REQUIRED,
    OPTIONAL
  }
}
