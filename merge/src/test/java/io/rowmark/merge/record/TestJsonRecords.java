package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.merge.record.SourceRecord.Broken;
import io.rowmark.merge.record.SourceRecord.Fields;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestJsonRecords {
  private static final String HEAD = "{\"schema\":{\"type\":\"struct\",\"name\":\"a } b\"}";

  /** Lines that begin as the one before and may end in any way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"payload\":{\"id\":1,\"note\":\"x\"}}",
        ",\"payload\":null}",
        ", \"payload\":{\"id\":1}}",
        " ,\"payload\":{\"id\":1}}",
        "}",
        "} ",
        ",}",
        ",\"payload\":{\"id\":1}}}",
        ",\"payload\":{\"id\":1}} {}",
        ",\"payload\":{\"id\":1}",
        ",\"payload\":{\"id\":1,\"id\":2}}",
        ",\"payload\":1,\"payload\":2}",
        ",\"payload\":1,\"schema\":2}",
        ",\"payload\":1,\"schema\":{}}",
        ",\"payload\":oops}",
        ",\"payload",
        "",
        ",",
      })
  void aRepeatedSchemaChangesNothing(String rest) {
    JsonRecords records = new JsonRecords();
    records.parse(HEAD + ",\"payload\":{\"id\":0}}");
    assertThat(records.parse(HEAD + rest)).isEqualTo(new JsonRecords().parse(HEAD + rest));
  }

  @Test
  void aRepeatedSchemaIsOneInstance() {
    JsonRecords records = new JsonRecords();
    String other = "{\"schema\":{\"type\":\"string\"},\"payload\":\"x\"}";
    List<Object> schemas =
        List.of(HEAD + ",\"payload\":1}", HEAD + ",\"payload\":2}", other, HEAD + ",\"payload\":3}")
            .stream()
            .map(line -> ((Fields) records.parse(line)).values().get("schema"))
            .toList();
    assertThat(schemas.get(1)).isSameAs(schemas.get(0));
    assertThat(schemas.get(2)).isEqualTo(Map.of("type", "string"));
    assertThat(schemas.get(3)).isSameAs(schemas.get(0));
  }

  @Test
  void aSchemaThatComesLaterIsFoundToo() {
    JsonRecords records = new JsonRecords();
    for (int i = 0; i < 2; i++) {
      Fields fields = (Fields) records.parse("{\"payload\":1,\"schema\":{\"type\":\"int32\"}}");
      assertThat(fields.values())
          .isEqualTo(Map.of("payload", 1, "schema", Map.of("type", "int32")));
    }
  }

  @Test
  void placesOfErrorsCountTheSchema() {
    JsonRecords records = new JsonRecords();
    records.parse(HEAD + ",\"payload\":1}");
    assertThat(records.parse(HEAD + ",\"payload\":1,\"payload\":2}"))
        .isEqualTo(
            new Broken(
                "duplicate-field",
                "a field is given twice at character %d"
                    .formatted(HEAD.length() + ",\"payload\":1,\"payload\"".length() + 1)));
  }
}
