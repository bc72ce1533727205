package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.rowmark.formats.failure.RowmarkException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class TestEnvelopeLayouts {
  static final List<String> NAMES = EnvelopeLayouts.NAMES;

  private static EnvelopeLayout described(String text) {
    return EnvelopeLayouts.described(ConfigFactory.parseString(text).root());
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void everyShippedEnvelopeIsReadAndTravelsToTasks(String name) throws Exception {
    EnvelopeLayout layout = EnvelopeLayouts.named(name);
    assertThat(layout.name()).isEqualTo(name);
    assertThat(layout.images().after()).isNotNull();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(layout);
    Object copy = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    assertThat(copy)
        .usingRecursiveComparison()
        .withEqualsForType((one, other) -> one.pattern().equals(other.pattern()), Pattern.class)
        .isEqualTo(layout);
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> EnvelopeLayouts.named("debezum"))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining("There is no envelope 'debezum'. Shipped are airbyte, canal,");
  }

  @Test
  void aDescriptionChangesTheEnvelopeItIsLike() {
    EnvelopeLayout layout =
        described(
            "like = debezium, absent = unchanged, op.codes { x = delete, m = null }, table = [a]");
    assertThat(layout.values().absent()).isEqualTo(RowValues.Absent.UNCHANGED);
    assertThat(layout.op().codes())
        .containsEntry("x", new OpRule.Meaning.Change(ChangeOp.DELETE))
        .containsEntry("c", new OpRule.Meaning.Change(ChangeOp.INSERT))
        .doesNotContainKey("m");
    assertThat(layout.table()).containsExactly(FieldPath.of("a"));
    assertThat(layout.order()).isEqualTo(EnvelopeLayouts.named("debezium").order());
  }

  @Test
  void aDescriptionThatReplacedANameTakesTheRestFromTheEnvelopeItIsLike() {
    // as where the reference says source.envelope = debezium
    EnvelopeLayout layout =
        EnvelopeLayouts.described(
            ConfigFactory.parseString("e { like = maxwell, op.codes.insert = update }")
                .withFallback(ConfigFactory.parseString("e = debezium"))
                .getObject("e"));
    assertThat(layout.images().after()).isEqualTo(FieldPath.of("data"));
    assertThat(layout.op().codes()).containsKeys("insert", "delete");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "oder = [a]                       | the envelope has no setting 'oder'. Known here: absent,",
        "op.kode = a                      | its op has no setting 'kode'. Known here: codes, missing, path.",
        "op.codes.a = remove              | 'remove' must be one of snapshot-read, insert, update, delete, truncate.",
        "order = [a numbr]                | 'numbr' must be one of number, big-number,",
        "order = [{ path = a, knd = hex }] | this part of the envelope has no setting 'knd'.",
        "deleted = { path = a, was = [] } | this part of the envelope has no setting 'was'.",
        "snapshot = { path = a, matches = \"(\" } | this is no regular expression",
        "exclude = 7                      | The envelope cannot be read:"
      })
  void aMistakeIsNamed(String text, String message) {
    assertThatThrownBy(() -> described(text))
        .isInstanceOf(RowmarkException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anOrderMayDependOnTheRecord() {
    SourceOrder order =
        described(
                """
                order = [
                  { when = { has = [a] }, parts = ["a", { path = b, missing = last }] }
                  { parts = [{ path = c, missing = no-order }] }
                ]""")
            .order();
    assertThat(shown(order, Map.of("a", 3))).isEqualTo("1/3/" + Long.MAX_VALUE);
    assertThat(shown(order, Map.of("c", 7))).isEqualTo("1/7");
    assertThat(order.of(ChangeOrder.STREAM_EPOCH, view(Map.of()))).isNull();
    assertThat(ChangeOrder.describe(order.of(ChangeOrder.SNAPSHOT_EPOCH, view(Map.of()))))
        .as("a snapshot read always has an order, so that it loses")
        .isEqualTo("0/0");
  }

  private static String shown(SourceOrder order, Map<String, Object> record) {
    return ChangeOrder.describe(order.of(ChangeOrder.STREAM_EPOCH, view(record)));
  }

  private static RecordView view(Map<String, Object> record) {
    return new RecordView(record, record, "f", 0, 1, 0);
  }
}
