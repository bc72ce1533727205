package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.OrderPart.Kind;
import io.rowmark.formats.change.OrderPart.Missing;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestOrderPart {
  private static byte[] order(OrderPart part, Object value) {
    return new SourceOrder(
            List.of(new SourceOrder.Choice(null, List.of(part), 0)), SourceOrder.Scope.SOURCE)
        .of(ChangeOrder.STREAM_EPOCH, new RecordView(Map.of("a", value), Map.of(), "f", 0, 1, 0));
  }

  private static OrderPart part(Kind kind) {
    return new OrderPart(FieldPath.of("a"), kind, Missing.NO_ORDER, null, null);
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER,99,100",
    "NUMBER,-5,3",
    "NUMBER,9007199254740992,9007199254740993",
    "BIG_NUMBER,999999999999999999,1000000000000000000",
    "BIG_NUMBER,00000000010000009000,00000000020000001000",
    "BIG_NUMBER,20260301100000000000000000000000009,20260301100000000000000000000000010",
    "NUMBER_SUFFIX,bin.999999,bin.1000000",
    "HEX,9,0A",
    "HEX_PAIR,9/FFFFFF00,16/B374D848",
    "HEX_PAIR,0/FFFFFFFF,1/0",
    "HEX_TRIPLE,00000025:00000d98:0009,00000025:00000d98:00a2",
    "BINLOG_POSITION,bin.000009:99999,bin.000010:4",
    "BINLOG_POSITION,host:3306.000009:999,host:3306.000009:1000",
    "TIMESTAMP,2026-03-01T10:00:00Z,2026-03-01T10:00:00.000000001Z",
    "TIMESTAMP,2026-03-01T12:00:00+02:00,2026-03-01T10:00:01Z",
    "TIMESTAMP,2026-03-01 10:00:00.9,2026-03-01 10:00:01",
    "TIMESTAMP,1969-12-31T23:59:59.999Z,1970-01-01T00:00:00Z",
    "TEXT,0x1.a,0x1.b",
    "TEXT,0x1,0x10",
  })
  void valuesCompareAsTheSourceDoes(Kind kind, String lower, String higher) {
    assertThat(ChangeOrder.COMPARATOR.compare(order(part(kind), lower), order(part(kind), higher)))
        .isNegative();
    assertThat(order(part(kind), lower)).isEqualTo(order(part(kind), lower));
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER,9223372036854775808",
    "NUMBER,x",
    "BIG_NUMBER,1e3",
    "NUMBER_SUFFIX,bin",
    "HEX,8000000000000000",
    "HEX_PAIR,9",
    "HEX_PAIR,FFFFFFFF/0",
    "HEX_TRIPLE,25:d98:9",
    "BINLOG_POSITION,bin:4",
    "TIMESTAMP,yesterday",
    "TIMESTAMP,9999-12-31T00:00:00Z",
    "TEXT,größer",
    "TEXT,1234567890123456789012345678901234567890123456789",
  })
  void aValueThatIsNoneOfItsKindGivesNoOrder(Kind kind, String value) {
    assertThat(order(part(kind), value)).isNull();
  }

  @Test
  void aNumberMayHaveComeAsAFractionOfZero() {
    assertThat(order(part(Kind.NUMBER), new BigDecimal("100.0")))
        .isEqualTo(order(part(Kind.NUMBER), 100L));
    assertThat(order(part(Kind.NUMBER), new BigDecimal("100.5"))).isNull();
  }

  @Test
  void onlyTheGroupsOfAMatchCount() {
    OrderPart part =
        new OrderPart(
            FieldPath.of("a"),
            Kind.BIG_NUMBER,
            Missing.NO_ORDER,
            null,
            Pattern.compile("^(\\d{8})-(\\d+)"));
    assertThat(ChangeOrder.describe(order(part, "20260301-101500123.csv")))
        .isEqualTo("1/0/20260301101500123");
    assertThat(order(part, "LOAD00000001.csv")).isNull();
  }

  @Test
  void pathsReachIntoListsAndOutOfTheValue() {
    RecordView record =
        new RecordView(
            Map.of("keys", List.of(1, Map.of("b", 2))), Map.of("offset", 9), "f.csv", 3, 4, 5);
    assertThat(FieldPath.of("keys.1.b").in(record)).isEqualTo(2);
    assertThat(FieldPath.of("keys.7").in(record)).isNull();
    assertThat(FieldPath.of("$record.offset").in(record)).isEqualTo(9);
    assertThat(FieldPath.of("$file").in(record)).isEqualTo("f.csv");
    assertThat(FieldPath.of("$rank").in(record)).isEqualTo(3);
    assertThat(FieldPath.of("$row").in(record)).isEqualTo(4L);
    assertThat(FieldPath.of("$index").in(record)).isEqualTo(5);
    for (String text : List.of(".", "keys.1.b", "$record.offset", "$row")) {
      assertThat(FieldPath.of(text)).hasToString(text);
    }
  }
}
