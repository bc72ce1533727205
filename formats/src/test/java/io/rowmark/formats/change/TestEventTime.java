package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.EventTime.Unit;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestEventTime {
  private static Instant time(Unit unit, Object value) {
    Map<String, Object> record = Map.of("at", value);
    return new EventTime(FieldPath.of("at"), unit)
        .of(new RecordView(record, record, "file", 0, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS, 1700000000, 2023-11-14T22:13:20Z",
    "MILLISECONDS, 1700000000123, 2023-11-14T22:13:20.123Z",
    "MICROSECONDS, 1700000000123456, 2023-11-14T22:13:20.123456Z",
    "NANOSECONDS, 1700000000123456789, 2023-11-14T22:13:20.123456Z",
    "MILLISECONDS, -1, 1969-12-31T23:59:59.999Z",
    "NANOSECONDS, -1, 1969-12-31T23:59:59.999999Z",
    "MILLISECONDS, 2023-11-14T22:13:20.5Z, 2023-11-14T22:13:20.500Z",
    "MILLISECONDS, 2023-11-14 22:13:20.123456, 2023-11-14T22:13:20.123456Z",
    "SECONDS, 2023-11-14T23:13:20+01:00, 2023-11-14T22:13:20Z",
  })
  void numbersCountAndTextIsIso(Unit unit, String value, Instant expected) {
    assertThat(time(unit, value)).isEqualTo(expected);
  }

  @Test
  void numbersOfAnyClassAreRead() {
    Instant expected = Instant.parse("2023-11-14T22:13:20Z");
    assertThat(time(Unit.SECONDS, 1_700_000_000)).isEqualTo(expected);
    assertThat(time(Unit.MILLISECONDS, 1_700_000_000_000L)).isEqualTo(expected);
    assertThat(time(Unit.MICROSECONDS, new BigInteger("1700000000000000"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS, 253402300800",
    "SECONDS, 9223372036854775807",
    "SECONDS, soon",
    "SECONDS, ''"
  })
  void whatIsNoTimeOfOurYearsIsNone(Unit unit, String value) {
    assertThat(time(unit, value)).isNull();
  }
}
