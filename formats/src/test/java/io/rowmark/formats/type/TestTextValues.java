package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.change.RowValues.ZeroDates;
import io.rowmark.formats.type.SourceType.Plain;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestTextValues {
  private static final Type TIMESTAMP = Types.TimestampType.withoutZone();
  private static final Type TIMESTAMPTZ = Types.TimestampType.withZone();

  private static Object read(Object value, Type target) {
    return TextValues.decoder("c", Plain.INFERRED, target, Fraction.REJECT, ZeroDates.REJECT)
        .decode(value);
  }

  @Test
  void theColumnTellsHowATextIsRead() {
    assertThat(read("0042", Types.IntegerType.get())).isEqualTo(42);
    assertThat(read("-9223372036854775808", Types.LongType.get())).isEqualTo(Long.MIN_VALUE);
    assertThat(read("-0.0", Types.DoubleType.get())).isEqualTo(-0.0);
    assertThat(read("Infinity", Types.FloatType.get())).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(read("0.1", Types.FloatType.get())).isEqualTo(0.1f);
    assertThat(read("4", Types.DecimalType.of(10, 2))).isEqualTo(new BigDecimal("4.00"));
    assertThat(read("t", Types.BooleanType.get())).isEqualTo(true);
    assertThat(read("0", Types.BooleanType.get())).isEqualTo(false);
    assertThat(read("1969-12-31", Types.DateType.get())).isEqualTo(LocalDate.of(1969, 12, 31));
    assertThat(read("2026-03-01 10:00:00.123456", TIMESTAMP))
        .isEqualTo(LocalDateTime.parse("2026-03-01T10:00:00.123456"));
    assertThat(read("2026-03-01 12:00:00+02:00", TIMESTAMPTZ))
        .isEqualTo(Instant.parse("2026-03-01T10:00:00Z"));
    assertThat(read("AQI=", Types.BinaryType.get())).isEqualTo(new byte[] {1, 2});
    assertThat(read("42", Types.StringType.get())).isEqualTo("42");
  }

  @Test
  void valuesThatAreNoTextAreReadAsElsewhere() {
    assertThat(read(7, Types.LongType.get())).isEqualTo(7L);
    assertThat(read(true, Types.BooleanType.get())).isEqualTo(true);
    assertThat(read(null, TIMESTAMP)).isNull();
    assertThatThrownBy(() -> read(7, TIMESTAMP))
        .isInstanceOf(ValueRejected.class)
        .hasMessage("a number where the text of a timestamp is expected");
  }

  @ParameterizedTest
  @CsvSource({
    "2147483648,int,TYPE_OVERFLOW",
    "1.5,int,TYPE_MISMATCH",
    "'',int,BAD_DECIMAL",
    "' 1',int,BAD_DECIMAL",
    "1e400,double,TYPE_OVERFLOW",
    "0x1p3,double,BAD_DECIMAL",
    "1e39,float,TYPE_OVERFLOW",
    "maybe,boolean,TYPE_MISMATCH",
    "0000-00-00,date,TYPE_MISMATCH",
    "10000-01-01,date,TYPE_MISMATCH",
    "'1.234','decimal(3,2)',DECIMAL_SCALE",
    "2026-03-01 10:00:00,timestamptz,TYPE_MISMATCH",
    "2026-03-01 10:00:00.1234567,timestamp,TIMESTAMP_OUT_OF_RANGE",
  })
  void whatTheColumnCannotHoldIsRejected(String text, String type, ValueRejected.Code code) {
    Type target = type.equals("timestamp") ? TIMESTAMP : Types.fromPrimitiveString(type);
    assertThatThrownBy(() -> read(text, target))
        .isInstanceOfSatisfying(
            ValueRejected.class, rejected -> assertThat(rejected.code()).isEqualTo(code));
  }

  @Test
  void aFinerFractionIsCutDownwardsWhereAsked() {
    ValueDecoder floor =
        TextValues.decoder("c", Plain.INFERRED, TIMESTAMP, Fraction.FLOOR, ZeroDates.REJECT);
    assertThat(floor.decode("1969-12-31 23:59:59.999999999"))
        .isEqualTo(LocalDateTime.parse("1969-12-31T23:59:59.999999"));
    ValueDecoder nanos =
        ValueDecoder.decoder("c", Plain.TIMESTAMP_NANOS, TIMESTAMP, Fraction.FLOOR);
    assertThat(nanos.decode(-1L)).isEqualTo(LocalDateTime.parse("1969-12-31T23:59:59.999999"));
  }

  @Test
  void datesOfZerosAreNullWhereAsked() {
    ValueDecoder decoder =
        TextValues.decoder("c", Plain.INFERRED, TIMESTAMP, Fraction.REJECT, ZeroDates.EMPTY);
    assertThat(decoder.decode("0000-00-00 00:00:00")).isNull();
  }

  @Test
  void aDeclaredTypeOfTextKeepsItsMeaning() {
    ValueDecoder decoder =
        TextValues.decoder(
            "c", Plain.ISO_TIME, Types.StringType.get(), Fraction.REJECT, ZeroDates.REJECT);
    assertThat(decoder.decode("10:15:30.5Z")).isEqualTo("10:15:30.500000000");
  }

  @ParameterizedTest
  @CsvSource({
    "bigint(20),long",
    "bigint(20) unsigned,'decimal-text(20,0)'",
    "int(10) unsigned,long",
    "tinyint(1),boolean",
    "tinyint(4),int",
    "'decimal(10,2)','decimal-text(10,2)'",
    "decimal,'decimal-text(10,0)'",
    "varchar(40),string",
    "datetime(6),timestamp-micros",
    "'enum(''a'',''b'')',string",
    "date,iso-date",
  })
  void mysqlTypesAreKnownByTheirText(String declaration, String type) {
    assertThat(SourceTypes.toText(MySqlTypes.of(declaration))).isEqualTo(type);
  }
}
