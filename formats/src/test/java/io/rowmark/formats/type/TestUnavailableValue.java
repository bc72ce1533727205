package io.rowmark.formats.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestUnavailableValue {
  private static final String TEXT = "__debezium_unavailable_value";
  private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.UTF_8);
  private static final String BASE64 = Base64.getEncoder().encodeToString(BYTES);

  @Test
  void eachTypeHasItsForm() {
    List<Integer> codes = new ArrayList<>();
    for (byte code : BYTES) {
      codes.add((int) code);
    }
    String uuid = java.util.UUID.nameUUIDFromBytes(BYTES).toString();
    assertThat(matches("string", TEXT)).isTrue();
    assertThat(matches("string", "{\"" + TEXT + "\":\"" + TEXT + "\"}")).isTrue();
    assertThat(matches("decimal(20,5)", TEXT)).isTrue();
    assertThat(matches("bytes", BASE64)).isTrue();
    assertThat(matches("list<string>", List.of(TEXT))).isTrue();
    assertThat(matches("list<bytes>", List.of(BASE64))).isTrue();
    assertThat(matches("list<int>", codes)).isTrue();
    assertThat(matches("list<long>", codes)).isTrue();
    assertThat(matches("list<date>", codes)).isTrue();
    assertThat(matches("list<uuid>", List.of(uuid))).isTrue();
    assertThat(matches("map<string>", Map.of(TEXT, TEXT))).isTrue();
    for (Object form : List.of(TEXT, BASE64, List.of(TEXT), codes, Map.of(TEXT, TEXT))) {
      assertThat(matches("inferred", form)).isTrue();
    }
  }

  @Test
  void valuesThatOnlyResembleItAreValues() {
    assertThat(matches("string", TEXT + " ")).isFalse();
    assertThat(matches("string", "")).isFalse();
    assertThat(matches("list<string>", List.of(TEXT, TEXT))).isFalse();
    assertThat(matches("list<int>", List.of((int) BYTES[0]))).isFalse();
    assertThat(matches("list<string>", List.of())).isFalse();
    assertThat(matches("map<string>", Map.of(TEXT, "x"))).isFalse();
    assertThat(UnavailableValue.DEBEZIUM.recognizer(SourceTypes.parse("string")).matches(null))
        .isFalse();
  }

  @Test
  void placeholderMayBeConfiguredAsBytes() {
    UnavailableValue value = new UnavailableValue("hex:ff00");
    assertThat(value.recognizer(SourceTypes.parse("bytes")).matches("/wA=")).isTrue();
    assertThat(value.recognizer(SourceTypes.parse("list<int>")).matches(List.of(-1, 0))).isTrue();
  }

  private static boolean matches(String type, Object value) {
    return UnavailableValue.DEBEZIUM.recognizer(SourceTypes.parse(type)).matches(value);
  }
}
