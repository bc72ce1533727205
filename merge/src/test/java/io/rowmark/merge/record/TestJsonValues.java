package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestJsonValues {
  private static Object read(String json) throws IOException {
    try (JsonParser parser = JsonValues.FACTORY.createParser(json)) {
      parser.nextToken();
      return JsonValues.read(parser);
    }
  }

  @Test
  void wholeNumbersKeepEveryDigit() throws IOException {
    assertThat(read("1")).isEqualTo(1);
    assertThat(read("9007199254740993")).isEqualTo(9007199254740993L);
    assertThat(read("18446744073709551616")).isEqualTo(new BigInteger("18446744073709551616"));
    String digits = "9".repeat(2000);
    assertThat(read(digits)).isEqualTo(new BigInteger(digits));
  }

  @Test
  void aWholeNumberWhoseLowBitsAreZeroIsNoNegativeZero() throws IOException {
    assertThat(read("-18446744073709551616")).isEqualTo(new BigInteger("-18446744073709551616"));
  }

  @Test
  void fractionsKeepEveryDigit() throws IOException {
    assertThat(read("0.1")).isEqualTo(new BigDecimal("0.1"));
    assertThat(read("1.10")).isEqualTo(new BigDecimal("1.10"));
    assertThat(read("1e400")).isEqualTo(new BigDecimal("1e400"));
    assertThat(read("123456789012345678901234567890.123456789"))
        .isEqualTo(new BigDecimal("123456789012345678901234567890.123456789"));
  }

  @Test
  void theSignOfZeroIsKept() throws IOException {
    assertThat(read("-0")).isEqualTo(-0.0);
    assertThat(read("-0.0")).isEqualTo(-0.0);
    assertThat(read("-0e3")).isEqualTo(-0.0);
    assertThat(read("0")).isEqualTo(0);
  }

  @Test
  void nestedValuesKeepTheirOrder() throws IOException {
    assertThat(read("{\"b\":[1,null,\"x\"],\"a\":{\"c\":true}}"))
        .isEqualTo(Map.of("b", java.util.Arrays.asList(1, null, "x"), "a", Map.of("c", true)));
    assertThat(((Map<?, ?>) read("{\"b\":1,\"a\":2}")).keySet().stream().toList())
        .isEqualTo(List.of("b", "a"));
  }

  @Test
  void aNameGivenTwiceIsAnError() {
    assertThatThrownBy(() -> read("{\"a\":1,\"a\":2}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Duplicate field 'a'");
  }
}
