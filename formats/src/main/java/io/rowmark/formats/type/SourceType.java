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
    /** No type known: the JSON kind of each value, and the column's type, decide. */
    INFERRED,
    /** A JSON whole number of 32 bits whose declared type is unknown: a new column is long. */
    WHOLE_NUMBER,
    /** A JSON number with a fraction or exponent whose declared type is unknown. */
    FRACTION,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    /** Base64 text, or bytes. */
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
    /** An instant, as milliseconds since 1970-01-01T00:00Z (likewise micros, nanos). */
    INSTANT_MILLIS,
    INSTANT_MICROS,
    INSTANT_NANOS,
    /** ISO text with an offset: an instant. */
    ZONED_TIMESTAMP,
    /** ISO time text with an offset; kept as text, Iceberg has no such type. */
    ZONED_TIME,
    /** ISO date text, as Debezium's isostring mode writes it: 2005-05-12Z. */
    ISO_DATE,
    /** ISO time text, 10:15:30.5Z; the Z says nothing of a zone. */
    ISO_TIME,
    /** ISO timestamp text, 2011-12-03T10:15:30Z; the Z says nothing of a zone. */
    ISO_TIMESTAMP,
    /** Struct {year, month, day, specialValue} of Debezium's structured mode. */
    STRUCTURED_DATE,
    /** Struct {hour, minute, second, picoseconds}. */
    STRUCTURED_TIME,
    /** Struct of date and time parts, no zone. */
    STRUCTURED_TIMESTAMP,
    /** Struct of date and time parts with offsetSeconds. */
    STRUCTURED_ZONED_TIMESTAMP,
    DURATION_MICROS,
    DURATION_NANOS,
    /** 36-character text form, kept as text. */
    UUID_TEXT,
    /** 36-character text form, stored as Iceberg uuid. */
    UUID,
    /** Struct {scale, value}: exact, kept as plain text since each row has its own scale. */
    VARIABLE_DECIMAL_TEXT
  }

  /**
   * Decimal of a fixed scale. The encoding must be told, since "1234" is both a number and valid
   * base64; a JSON number is accepted under each encoding, it cannot be mistaken.
   *
   * @param precision digits; more than 38 is read as 38, the most Iceberg holds
   * @param scale digits after the point; negative for Oracle's NUMBER(5,-3)
   */
  record Decimal(int precision, int scale, Encoding encoding) implements SourceType {

    /** How the value is written in JSON. */
    public enum Encoding {
      /** Base64 of the unscaled value, big-endian two's complement; Debezium's precise mode. */
      BASE64,
      /** Plain or exponent text; Debezium's string mode. */
      TEXT,
      /** A JSON number. */
      NUMBER
    }

    /** A decimal of Debezium's precise mode. */
    public Decimal(int precision, int scale) {
      this(precision, scale, Encoding.BASE64);
    }
  }

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
