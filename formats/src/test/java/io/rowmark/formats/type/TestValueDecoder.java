package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rowmark.formats.failure.RowmarkException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TestValueDecoder {
  private static final Type INT = Types.IntegerType.get();
  private static final Type LONG = Types.LongType.get();
  private static final Type FLOAT = Types.FloatType.get();
  private static final Type DOUBLE = Types.DoubleType.get();
  private static final Type STRING = Types.StringType.get();
  private static final Type BINARY = Types.BinaryType.get();
  private static final Type DATE = Types.DateType.get();
  private static final Type TIMESTAMP = Types.TimestampType.withoutZone();
  private static final Type TIMESTAMPTZ = Types.TimestampType.withZone();
  private static final Type TIMESTAMP_NS = Types.TimestampNanoType.withoutZone();
  private static final Type TIMESTAMPTZ_NS = Types.TimestampNanoType.withZone();
  private static final BigDecimal ONE_THIRD = new BigDecimal("0.33333334");

  static Stream<Arguments> accepted() {
    return Stream.of(
        row("boolean", Types.BooleanType.get(), true, true),
        row("boolean", Types.BooleanType.get(), 0, false),
        row("boolean", Types.BooleanType.get(), 1, true),
        row("int", INT, Integer.MIN_VALUE, Integer.MIN_VALUE),
        row("int", LONG, 7, 7L),
        row("long", LONG, Long.MAX_VALUE, Long.MAX_VALUE),
        row("long", LONG, Long.MIN_VALUE, Long.MIN_VALUE),
        row("long", LONG, 9007199254740993L, 9007199254740993L),
        row("long", LONG, new BigDecimal("1E+3"), 1000L),
        row("long", INT, 2147483647L, 2147483647),
        row("long", DOUBLE, 9007199254740992L, 9007199254740992d),
        row("long", dec(38, 2), Long.MIN_VALUE, decimal("-9223372036854775808.00")),
        row("inferred", LONG, 9007199254740993L, 9007199254740993L),
        row("inferred", DOUBLE, 3, 3d),
        row("inferred", DOUBLE, "NaN", Double.NaN),
        row("inferred", dec(9, 2), new BigDecimal("1.5"), decimal("1.50")),
        row("float", FLOAT, ONE_THIRD, 0.33333334f),
        row("float", FLOAT, 10, 10f),
        row("float", FLOAT, "NaN", Float.NaN),
        row("float", FLOAT, "-Infinity", Float.NEGATIVE_INFINITY),
        row("float", FLOAT, "POSITIVE_INFINITY", Float.POSITIVE_INFINITY),
        row("float", FLOAT, -0.0d, -0.0f),
        row("float", DOUBLE, ONE_THIRD, (double) 0.33333334f),
        row("double", DOUBLE, -0.0d, -0.0d),
        row("double", DOUBLE, "Infinity", Double.POSITIVE_INFINITY),
        row("double", DOUBLE, "NEGATIVE_INFINITY", Double.NEGATIVE_INFINITY),
        row("double", DOUBLE, "NAN", Double.NaN),
        row("double", DOUBLE, new BigDecimal("4.9E-324"), Double.MIN_VALUE),
        row("double", DOUBLE, new BigDecimal("1.7976931348623157E+308"), Double.MAX_VALUE),
        row("double", FLOAT, new BigDecimal("0.5"), 0.5f),
        row("decimal(20,5)", dec(20, 5), "AYah", decimal("1.00001")),
        row("decimal(20,5)", dec(20, 5), "/nlf", decimal("-1.00001")),
        row("decimal(20,5)", dec(20, 5), "AAAAAYah", decimal("1.00001")),
        row("decimal(20,5)", dec(20, 5), new BigDecimal("1.5"), decimal("1.50000")),
        row("decimal(20,5)", dec(38, 2), "D0JA", decimal("10.00")),
        row("decimal(3,2)", dec(38, 2), "AJY=", decimal("1.50")),
        row(
            "decimal(38,0)",
            dec(38, 0),
            "CUmw9vACMxPESZBQ3jjzTQ==",
            decimal("12345678901234567890123456789012345677")),
        row("decimal(5,-3)", dec(8, 0), "BQ==", decimal("5000")),
        row("decimal-text(20,5)", dec(20, 5), "1234", decimal("1234.00000")),
        row("decimal-text(20,5)", dec(20, 5), "-1.5e-3", decimal("-0.00150")),
        row("decimal-text(20,5)", dec(20, 5), "0E-30", decimal("0.00000")),
        row("decimal-text(20,5)", dec(20, 5), "1.100000000", decimal("1.10000")),
        row("decimal-number(38,0)", dec(38, 0), new BigInteger("9".repeat(38)), nines(38)),
        row("variable-decimal", STRING, variable(8, "B1vNFQ=="), "1.23456789"),
        row("variable-decimal", STRING, variable(20, "/w=="), "-0.00000000000000000001"),
        row("variable-decimal", STRING, variable(-3, "BQ=="), "5000"),
        row("variable-decimal", dec(38, 10), variable(8, "B1vNFQ=="), decimal("1.2345678900")),
        row(
            "variable-decimal(38,20)",
            dec(38, 20),
            variable(1, "BQ=="),
            decimal("0.5").setScale(20)),
        row("string", STRING, "ünï–🚀\n\0", "ünï–🚀\n\0"),
        row("string", STRING, "", ""),
        row("bytes", BINARY, "AAAAAQ==", new byte[] {0, 0, 0, 1}),
        row("bytes", BINARY, "", new byte[0]),
        row("bytes", Types.FixedType.ofLength(1), "/w==", new byte[] {-1}),
        row("bits(9)", BINARY, "/wE=", new byte[] {-1, 1}),
        row("date", DATE, 0, LocalDate.EPOCH),
        row("date", DATE, -6, LocalDate.of(1969, 12, 26)),
        row("date", DATE, 2932896, LocalDate.of(9999, 12, 31)),
        row("date", DATE, -719162, LocalDate.of(1, 1, 1)),
        row("iso-date", DATE, "2005-05-12Z", LocalDate.of(2005, 5, 12)),
        row(
            "structured-date",
            DATE,
            Map.of("year", 1, "month", 1, "day", 1),
            LocalDate.of(1, 1, 1)),
        row("time-millis", STRING, 1, "00:00:00.001000"),
        row("time-micros", STRING, 86_400_000_000L, "24:00:00.000000"),
        row("time-nanos", STRING, 86_399_999_999_999L, "23:59:59.999999999"),
        row("iso-time", STRING, "10:15:30.5Z", "10:15:30.500000000"),
        row("zoned-time", STRING, "10:15:30+02:00", "10:15:30+02:00"),
        row("timestamp-millis", TIMESTAMP, -1L, local("1969-12-31T23:59:59.999")),
        row("timestamp-micros", TIMESTAMP, -1L, local("1969-12-31T23:59:59.999999")),
        row("timestamp-micros", TIMESTAMP, 86399123456L, local("1970-01-01T23:59:59.123456")),
        row(
            "timestamp-micros",
            TIMESTAMP,
            253402300799999999L,
            local("9999-12-31T23:59:59.999999")),
        row("timestamp-micros", TIMESTAMP, -62135596800000000L, local("0001-01-01T00:00:00")),
        row("timestamp-nanos", TIMESTAMP, -1000L, local("1969-12-31T23:59:59.999999")),
        row("timestamp-nanos", TIMESTAMP_NS, -1L, local("1969-12-31T23:59:59.999999999")),
        row("iso-timestamp", TIMESTAMP, "2011-12-03T10:15:30Z", local("2011-12-03T10:15:30")),
        row(
            "structured-timestamp",
            TIMESTAMP,
            clock(999_999_000_000L),
            local("1969-12-31T23:59:59.999999")),
        row("structured-zoned-timestamp", TIMESTAMPTZ, clock(0), instant("1969-12-31T22:59:59Z")),
        row(
            "zoned-timestamp",
            TIMESTAMPTZ,
            "1900-01-01T00:00:00.000001+03:00",
            instant("1899-12-31T21:00:00.000001Z")),
        row("zoned-timestamp", TIMESTAMPTZ, "2020-01-01T00:00Z", instant("2020-01-01T00:00:00Z")),
        row(
            "zoned-timestamp",
            TIMESTAMPTZ,
            "0001-01-01T00:00:00.000000Z",
            instant("0001-01-01T00:00:00Z")),
        row(
            "zoned-timestamp",
            TIMESTAMPTZ_NS,
            "2020-01-01T00:00:00.123456789Z",
            instant("2020-01-01T00:00:00.123456789Z")),
        row("duration-micros", LONG, -2716201000000L, -2716201000000L),
        row(
            "uuid",
            Types.UUIDType.get(),
            "AAAAAAAA-0000-4000-8000-000000000001",
            "aaaaaaaa-0000-4000-8000-000000000001"),
        row(
            "uuid-text",
            STRING,
            "00000000-0000-4000-8000-000000000001",
            "00000000-0000-4000-8000-000000000001"),
        row("list<int>", listOf(INT), Arrays.asList(1, null, 2), new Object[] {1, null, 2}),
        row(
            "list<decimal(9,2)>",
            listOf(dec(9, 2)),
            List.of("AJY="),
            new Object[] {decimal("1.50")}),
        row("map<string>", mapOf(STRING), Map.of("a", "b"), Map.of("a", "b")),
        row("map<double>", mapOf(DOUBLE), List.of(List.of(1, -0.0d)), Map.of("1", -0.0d)),
        row(
            "struct<x:double,wkb:bytes,unset:int>",
            structOf("wkb", BINARY, "x", DOUBLE),
            Map.of("x", 1, "wkb", "AQ=="),
            new Object[] {new byte[] {1}, 1d}),
        row("inferred", structOf("a", LONG, "b", STRING), Map.of("a", 1), new Object[] {1L, null}));
  }

  @ParameterizedTest(name = "{0} of {2} into {1}")
  @MethodSource("accepted")
  void exactValueIsAccepted(String source, Type target, Object value, Object expected) {
    ValueDecoder decoder = ValueDecoder.decoder("c", SourceTypes.parse(source), target);
    assertThat(decoder.decode(value)).isEqualTo(expected);
    assertThat(decoder.decode(null)).isNull();
  }

  static Stream<Arguments> rejected() {
    return Stream.of(
        row("boolean", Types.BooleanType.get(), 2, "type-mismatch"),
        row("boolean", Types.BooleanType.get(), "true", "type-mismatch"),
        row("int", INT, "7", "type-mismatch"),
        row("int", INT, new BigDecimal("1.5"), "type-mismatch"),
        row("int", INT, 2147483648L, "type-overflow"),
        row("long", LONG, new BigInteger("9223372036854775808"), "type-overflow"),
        row("long", LONG, new BigDecimal("1E+1000000000"), "type-overflow"),
        row("long", DOUBLE, 9007199254740993L, "type-overflow"),
        row("inferred", DOUBLE, 9007199254740993L, "type-overflow"),
        row("inferred", STRING, 5, "type-mismatch"),
        row("inferred", dec(9, 2), "1.50", "type-mismatch"),
        row("float", FLOAT, new BigDecimal("1E+39"), "type-overflow"),
        row("float", FLOAT, "nan", "type-mismatch"),
        row("double", DOUBLE, new BigDecimal("1E+309"), "type-overflow"),
        row("double", FLOAT, new BigDecimal("0.1"), "type-overflow"),
        row("decimal(20,5)", dec(20, 5), "not base64!", "bad-base64"),
        row("decimal(20,5)", dec(20, 5), "", "bad-decimal"),
        row("decimal(20,5)", dec(20, 4), "AYah", "decimal-scale"),
        row("decimal(20,5)", dec(5, 5), "AYah", "decimal-overflow"),
        row("decimal-text(20,5)", dec(20, 5), "1,5", "bad-decimal"),
        row("decimal-text(20,5)", dec(20, 5), "١", "bad-decimal"),
        row("decimal-text(20,5)", dec(20, 5), "", "bad-decimal"),
        row("decimal-text(20,5)", dec(20, 5), "NAN", "decimal-special"),
        row("decimal-text(20,5)", dec(20, 5), "POSITIVE_INFINITY", "decimal-special"),
        row("decimal-text(20,5)", dec(20, 5), "1e999999999", "decimal-overflow"),
        row("decimal-text(20,5)", dec(20, 5), "1e-999999999", "decimal-scale"),
        row("decimal-text(20,5)", dec(20, 5), "0.000001", "decimal-scale"),
        row("decimal-number(9,2)", dec(9, 2), "1.5", "type-mismatch"),
        row("decimal-number(9,2)", dec(9, 2), new BigDecimal("12345678"), "decimal-overflow"),
        row("variable-decimal", STRING, "1.5", "type-mismatch"),
        row("variable-decimal", STRING, variable(2_000_000_000, "AQ=="), "decimal-overflow"),
        row("string", STRING, 1, "type-mismatch"),
        row("string", STRING, List.of(), "type-mismatch"),
        row("bytes", BINARY, "a", "bad-base64"),
        row("bytes", Types.FixedType.ofLength(2), "/w==", "type-mismatch"),
        row("date", DATE, 2932897, "timestamp-out-of-range"),
        row("date", DATE, Integer.MAX_VALUE, "timestamp-out-of-range"),
        row("date", DATE, "2020-01-01", "type-mismatch"),
        row("iso-date", DATE, "+10000-01-01Z", "timestamp-out-of-range"),
        row("iso-date", DATE, "2023-02-29", "type-mismatch"),
        row(
            "structured-date",
            DATE,
            Map.of("year", 0, "month", 0, "day", 0),
            "timestamp-out-of-range"),
        row(
            "structured-date",
            DATE,
            Map.of("specialValue", "POSITIVE_INFINITY"),
            "timestamp-out-of-range"),
        row("time-micros", STRING, -1, "time-out-of-range"),
        row("time-micros", STRING, 86_400_000_001L, "time-out-of-range"),
        row("timestamp-micros", TIMESTAMP, 9223372036825200000L, "timestamp-out-of-range"),
        row("timestamp-micros", TIMESTAMP, -9223372036832400000L, "timestamp-out-of-range"),
        row("timestamp-micros", TIMESTAMP, 253402300800000000L, "timestamp-out-of-range"),
        row("timestamp-micros", TIMESTAMP_NS, 253402300799999999L, "timestamp-out-of-range"),
        row("timestamp-nanos", TIMESTAMP, 1L, "timestamp-out-of-range"),
        row(
            "zoned-timestamp",
            TIMESTAMPTZ,
            "2020-01-01T00:00:00.0000001Z",
            "timestamp-out-of-range"),
        row("zoned-timestamp", TIMESTAMPTZ, "0001-01-01T00:00:00+03:00", "timestamp-out-of-range"),
        row(
            "zoned-timestamp",
            TIMESTAMPTZ,
            "+294247-01-10T04:00:25.200Z",
            "timestamp-out-of-range"),
        row("zoned-timestamp", TIMESTAMPTZ, "2020-01-01T00:00:00", "type-mismatch"),
        row("structured-timestamp", TIMESTAMP, clock(1), "time-out-of-range"),
        row("uuid", Types.UUIDType.get(), "1", "type-mismatch"),
        row("list<int>", listOf(INT), List.of("1"), "type-mismatch"),
        row("list<int>", listOf(INT), "1", "type-mismatch"),
        row("map<int>", mapOf(INT), List.of(1), "type-mismatch"),
        row("struct<a:int>", structOf("a", INT, "b", INT), Map.of("b", 1), "unknown-column"));
  }

  @ParameterizedTest(name = "{0} of {2} into {1} is {3}")
  @MethodSource("rejected")
  void otherValueIsRejectedWithItsCode(String source, Type target, Object value, String code) {
    ValueDecoder decoder = ValueDecoder.decoder("c", SourceTypes.parse(source), target);
    ValueRejected rejected = catchThrowableOfType(ValueRejected.class, () -> decoder.decode(value));
    assertThat(rejected).isNotNull();
    assertThat(rejected.code().text()).isEqualTo(code);
    assertThat(rejected.getStackTrace()).isEmpty();
  }

  @Test
  void reasonSaysWhatWasFoundWithoutTheValue() {
    ValueDecoder decoder = ValueDecoder.decoder("c", SourceTypes.parse("int"), INT);
    assertThatThrownBy(() -> decoder.decode("secret"))
        .hasMessage("text where a whole number is expected");
  }

  @Test
  void sourceTypeThatNeverFitsIsAConfigurationError() {
    assertThatThrownBy(() -> ValueDecoder.decoder("age", SourceTypes.parse("string"), INT))
        .isInstanceOf(RowmarkException.class)
        .hasMessage(
            "Column 'age' has the type int in the table, which holds no values of the source type"
                + " string. Declare the column's source type, or change the column.");
  }

  @Test
  void untypedEventsNeedADeclarationForATimestampColumn() {
    assertThatThrownBy(() -> ValueDecoder.decoder("at", SourceTypes.parse("inferred"), TIMESTAMP))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("'at' has the type timestamp")
        .hasMessageContaining("Declare its source type");
  }

  @Test
  void nullInARequiredNestedFieldIsRejected() {
    Type target = Types.ListType.ofRequired(1, INT);
    ValueDecoder decoder = ValueDecoder.decoder("c", SourceTypes.parse("list<int>"), target);
    assertThatThrownBy(() -> decoder.decode(Arrays.asList(1, null)))
        .hasMessage("null in a required nested field");
  }

  private static Arguments row(Object... values) {
    return Arguments.of(values);
  }

  private static Type dec(int precision, int scale) {
    return Types.DecimalType.of(precision, scale);
  }

  private static BigDecimal decimal(String text) {
    return new BigDecimal(text);
  }

  private static BigDecimal nines(int digits) {
    return new BigDecimal("9".repeat(digits));
  }

  private static Map<String, Object> variable(int scale, String unscaled) {
    return Map.of("scale", scale, "value", unscaled);
  }

  private static Map<String, Object> clock(long picoseconds) {
    return Map.of(
        "year",
        1969,
        "month",
        12,
        "day",
        31,
        "hour",
        23,
        "minute",
        59,
        "second",
        59,
        "picoseconds",
        picoseconds,
        "offsetSeconds",
        3600);
  }

  private static LocalDateTime local(String text) {
    return LocalDateTime.parse(text);
  }

  private static Instant instant(String text) {
    return Instant.parse(text);
  }

  private static Type listOf(Type element) {
    return Types.ListType.ofOptional(1, element);
  }

  private static Type mapOf(Type value) {
    return Types.MapType.ofOptional(1, 2, STRING, value);
  }

  private static Type structOf(String one, Type oneType, String two, Type twoType) {
    return Types.StructType.of(
        Types.NestedField.optional(1, one, oneType), Types.NestedField.optional(2, two, twoType));
  }
}
