package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.merge.record.JsonRecords;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.spec.TableFeed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestDebeziumEnvelope {
  private static final String SCHEMA =
      """
      {"type":"struct","optional":false,"name":"t.Envelope","fields":[
       {"type":"struct","optional":true,"field":"before","fields":[
         {"type":"int64","optional":false,"field":"id"}]},
       {"type":"struct","optional":true,"field":"after","fields":[
         {"type":"int64","optional":false,"field":"id"},
         {"type":"string","optional":true,"field":"note"}]}]}
      """
          .replace("\n", "");

  private static final Slice SLICE =
      new Slice("/f.json", "f.json", 0, 0, 1, Slice.Place.RECORD_NUMBER, -1);

  private final JsonRecords records = new JsonRecords();
  private final EnvelopeReader envelope =
      new EnvelopeReader(EnvelopeLayouts.named("debezium"), TableFeed.WHOLE_TOPIC, List.of("id"));

  private Parsed parse(String line) {
    List<? extends Parsed> parsed = envelope.read(records.parse(line), SLICE, 1);
    assertThat(parsed).hasSize(1);
    return parsed.get(0);
  }

  private Parsed.Event event(String line) {
    Parsed parsed = parse(line);
    assertThat(parsed).isInstanceOf(Parsed.Event.class);
    return (Parsed.Event) parsed;
  }

  private String bad(String line) {
    Parsed parsed = parse(line);
    assertThat(parsed).as(line).isInstanceOf(Parsed.Bad.class);
    return ((Parsed.Bad) parsed).code();
  }

  private String skipped(String line) {
    Parsed parsed = parse(line);
    assertThat(parsed).as(line).isInstanceOf(Parsed.Skip.class);
    return ((Parsed.Skip) parsed).reason();
  }

  @ParameterizedTest
  @CsvSource({"r,SNAPSHOT_READ", "c,INSERT", "u,UPDATE"})
  void aPutHasItsRowAfter(String code, ChangeOp op) {
    Parsed.Event event = event("{\"op\":\"%s\",\"after\":{\"id\":1}}".formatted(code));
    assertThat(event.op()).isEqualTo(op);
    assertThat(event.after()).containsOnlyKeys("id").containsEntry("id", 1);
    assertThat(event.before()).isNull();
    assertThat(event.fields()).isNull();
    assertThat(event.order()).isNull();
  }

  @Test
  void aDeleteHasItsRowBefore() {
    Parsed.Event event = event("{\"before\":{\"id\":1},\"after\":null,\"op\":\"d\"}");
    assertThat(event.op()).isEqualTo(ChangeOp.DELETE);
    assertThat(event.before()).containsEntry("id", 1);
    assertThat(event.after()).isNull();
  }

  @Test
  void aTruncateHasNoRow() {
    assertThat(event("{\"before\":null,\"after\":null,\"op\":\"t\"}").op())
        .isEqualTo(ChangeOp.TRUNCATE);
  }

  @Test
  void aRecordWithSchemaBringsItsTypes() {
    String line =
        "{\"schema\":%s,\"payload\":{\"op\":\"c\",\"after\":{\"id\":1}}}".formatted(SCHEMA);
    Parsed.Event event = event(line);
    assertThat(event.fields()).extracting(field -> field.name()).containsExactly("id", "note");
    assertThat(event.fields())
        .extracting(field -> field.type())
        .isEqualTo(List.of(Plain.LONG, Plain.STRING));
    assertThat(event(line).fields()).as("one list for one schema text").isSameAs(event.fields());
  }

  @Test
  void theSchemaMayComeAfterThePayloadOrBeNull() {
    assertThat(
            event(
                    "{\"payload\":{\"op\":\"c\",\"after\":{\"id\":1}},\"schema\":%s}"
                        .formatted(SCHEMA))
                .fields())
        .hasSize(2);
    assertThat(event("{\"schema\":null,\"payload\":{\"op\":\"c\",\"after\":{\"id\":1}}}").fields())
        .isNull();
  }

  @Test
  void aSnapshotReadIsOrderedBeforeTheStream() {
    String source = "\"source\":{\"connector\":\"postgresql\",\"sequence\":\"[null,\\\"9\\\"]\"";
    Parsed.Event read =
        event("{\"op\":\"r\",\"after\":{\"id\":1}," + source + ",\"snapshot\":\"first\"}}");
    Parsed.Event insert =
        event("{\"op\":\"c\",\"after\":{\"id\":1}," + source + ",\"snapshot\":\"false\"}}");
    assertThat(ChangeOrder.describe(read.order())).isEqualTo("0/0/9/0");
    assertThat(ChangeOrder.describe(insert.order())).isEqualTo("1/0/9/0");
  }

  @Test
  void controlRecordsAreLeftOut() {
    assertThat(skipped("null")).isEqualTo("tombstone");
    assertThat(skipped("{\"schema\":null,\"payload\":null}")).isEqualTo("tombstone");
    assertThat(skipped("   ")).isEqualTo("blank");
    assertThat(skipped("{\"status\":\"BEGIN\",\"id\":\"7:9\"}")).isEqualTo("transaction-boundary");
    assertThat(skipped("{\"ddl\":\"create\",\"tableChanges\":[]}")).isEqualTo("schema-change");
    assertThat(skipped("{\"ts_ms\":1}")).isEqualTo("heartbeat");
    assertThat(skipped("{\"op\":\"m\",\"message\":{}}")).isEqualTo("message");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{\"op\":\"c\"",
        "{\"op\":c}",
        "{\"op\":\"c\",\"after\":{\"id\":1}} x",
        "{'op':'c'}"
      })
  void brokenJsonIsRefused(String line) {
    assertThat(bad(line)).isEqualTo("malformed-json");
  }

  @Test
  void recordsThatCannotBeUnderstoodSayWhy() {
    assertThat(bad("[1]")).isEqualTo("not-an-object");
    assertThat(bad("7")).isEqualTo("not-an-object");
    assertThat(bad("{\"op\":\"c\",\"op\":\"d\"}")).isEqualTo("duplicate-field");
    assertThat(bad("{\"op\":\"c\",\"after\":{\"id\":1,\"id\":2}}")).isEqualTo("duplicate-field");
    assertThat(bad("{\"op\":\"x\"}")).isEqualTo("unknown-op");
    assertThat(bad("{\"op\":\"c\",\"after\":[1]}")).isEqualTo("unknown-record");
    assertThat(bad("{\"payload\":[1]}")).isEqualTo("unknown-record");
    assertThat(bad("{\"id\":1}")).isEqualTo("unknown-record");
    assertThat(bad("{\"op\":\"u\",\"after\":null}")).isEqualTo("after-missing");
    assertThat(bad("{\"op\":\"d\",\"before\":null}")).isEqualTo("key-missing");
  }

  @Test
  void aReasonHoldsNoValues() {
    Parsed parsed = parse("{\"op\":\"c\",\"after\":{\"id\":secret}}");
    assertThat(((Parsed.Bad) parsed).reason()).doesNotContain("secret");
  }
}
