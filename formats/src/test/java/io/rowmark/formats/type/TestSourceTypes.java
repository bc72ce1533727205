package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.type.SourceType.Plain;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TestSourceTypes {

  /** Declaration and Iceberg type; the declaration is also what toText gives. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "whole-number | long",
        "fraction | double",
        "boolean | boolean",
        "int | int",
        "long | long",
        "float | float",
        "double | double",
        "string | string",
        "bytes | binary",
        "bits | binary",
        "bits(9) | binary",
        "date | date",
        "iso-date | date",
        "structured-date | date",
        "time-millis | string",
        "time-micros | string",
        "time-nanos | string",
        "iso-time | string",
        "structured-time | string",
        "zoned-time | string",
        "timestamp-millis | timestamp",
        "timestamp-micros | timestamp",
        "timestamp-nanos | timestamp",
        "iso-timestamp | timestamp",
        "structured-timestamp | timestamp",
        "zoned-timestamp | timestamptz",
        "structured-zoned-timestamp | timestamptz",
        "duration-micros | long",
        "duration-nanos | long",
        "uuid | uuid",
        "uuid-text | string",
        "decimal(20,5) | decimal(20, 5)",
        "decimal-text(38,0) | decimal(38, 0)",
        "decimal-number(9,2) | decimal(9, 2)",
        "decimal(5,-3) | decimal(8, 0)",
        "decimal(2,5) | decimal(5, 5)",
        "variable-decimal | string",
        "variable-decimal(38,20) | decimal(38, 20)",
        "list<int> | list<int>",
        "map<string> | map<string, string>",
        "map<list<decimal(20,5)>> | map<string, list<decimal(20, 5)>>",
        "struct<x:double,`a-b`:bytes> | struct<1: x: optional double, 2: a-b: optional binary>",
      })
  void declarationGivesTheIcebergTypeAndItsOwnText(String declaration, String iceberg) {
    SourceType type = SourceTypes.parse(declaration);
    assertThat(ColumnTypes.icebergType(type).toString()).isEqualTo(iceberg);
    assertThat(SourceTypes.toText(type)).isEqualTo(declaration);
  }

  @ParameterizedTest
  @EnumSource(Plain.class)
  void everyPlainTypeHasADeclaration(Plain plain) {
    assertThat(SourceTypes.parse(SourceTypes.toText(plain))).isEqualTo(plain);
  }

  @Test
  void blanksAndCaseMeanNothing() {
    assertThat(SourceTypes.parse(" List < DECIMAL( 20 , 5 ) > "))
        .isEqualTo(SourceTypes.parse("list<decimal(20,5)>"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp-mikros | did you mean 'timestamp-micros'?",
        "interger | did you mean 'int'?",
        "timestamptz | did you mean 'zoned-timestamp'?",
        "strng | did you mean 'string'?",
        "decimal-txt(3,1) | did you mean 'decimal-text'?",
        "decimal(20,5 | ')' is missing",
        "decimal | '(' is missing",
        "decimal(39,5) | a precision is 1 to 38",
        "decimal(a,5) | a number is missing",
        "list | '<' is missing",
        "list<int>> | something follows the type",
        "struct<`a:int> | a backtick is not closed",
        "'' | a type name is missing",
      })
  void misspelledDeclarationNamesTheNearestType(String declaration, String message) {
    assertThatThrownBy(() -> SourceTypes.parse(declaration))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("Cannot read the source type '" + declaration + "'")
        .hasMessageContaining(message);
  }

  @Test
  void decimalOfMoreDigitsThanIcebergHoldsIsReadAsThirtyEight() {
    assertThat(ColumnTypes.icebergType(new SourceType.Decimal(64, 4)).toString())
        .isEqualTo("decimal(38, 4)");
    assertThatThrownBy(() -> ColumnTypes.icebergType(new SourceType.Decimal(50, 40)))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("40 digits after the point");
  }

  @Test
  void valuesShowTheirJsonTypeAndNothingElse() {
    assertThat(inferred(null)).isEqualTo("inferred");
    assertThat(inferred(true)).isEqualTo("boolean");
    assertThat(inferred(1)).isEqualTo("whole-number");
    assertThat(inferred(1L << 40)).isEqualTo("long");
    assertThat(inferred(BigInteger.TEN.pow(30))).isEqualTo("long");
    assertThat(inferred(new BigDecimal("1.5"))).isEqualTo("fraction");
    assertThat(inferred(-0.0d)).isEqualTo("fraction");
    assertThat(inferred("2020-01-01")).isEqualTo("string");
    assertThat(inferred(List.of())).isEqualTo("list<inferred>");
    assertThat(inferred(Arrays.asList(null, 1, 1L << 40))).isEqualTo("list<long>");
    assertThat(inferred(List.of(1, new BigDecimal("1.5")))).isEqualTo("list<fraction>");
    assertThat(Inference.of(List.of(1, "a"))).isEmpty();
  }

  @Test
  void objectIsAStructInArrivalOrderWithItsKnownFields() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("z", 1);
    object.put("unknown", null);
    object.put("a", List.of(Map.of("b", "x")));
    SourceType type = Inference.of(object).orElseThrow();
    assertThat(SourceTypes.toText(type))
        .isEqualTo("struct<z:whole-number,unknown:inferred,a:list<struct<b:string>>>");
    assertThat(ColumnTypes.icebergType(type).toString())
        .isEqualTo(
            "struct<1: z: optional long, 2: a: optional list<struct<4: b: optional string>>>");
    assertThat(ColumnTypes.isKnown(Inference.of(Map.of()).orElseThrow())).isFalse();
  }

  @Test
  void joinedStructsHoldTheFieldsOfBoth() {
    SourceType joined =
        Inference.join(
                SourceTypes.parse("struct<a:whole-number,b:inferred>"),
                SourceTypes.parse("struct<c:string,a:fraction>"))
            .orElseThrow();
    assertThat(SourceTypes.toText(joined)).isEqualTo("struct<a:fraction,b:inferred,c:string>");
    assertThat(Inference.join(Plain.STRING, Plain.LONG)).isEmpty();
  }

  private static String inferred(@org.jspecify.annotations.Nullable Object value) {
    return SourceTypes.toText(Inference.of(value).orElseThrow());
  }
}
