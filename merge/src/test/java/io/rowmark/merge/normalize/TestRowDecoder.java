package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.type.Fraction;
import io.rowmark.formats.type.SourceType.Plain;
import io.rowmark.formats.type.SourceType.Presence;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.formats.type.UnavailableValue;
import io.rowmark.merge.spec.RecordSpec;
import io.rowmark.merge.spec.TableFeed;
import io.rowmark.merge.spec.TableSpec;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

class TestRowDecoder {
  private static final String LEFT_OUT = "__debezium_unavailable_value";
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "note", Types.StringType.get()),
          Types.NestedField.required(3, "must", Types.StringType.get()),
          Types.NestedField.optional("later")
              .withId(4)
              .ofType(Types.StringType.get())
              .withInitialDefault(Literal.of("then"))
              .build());

  private final RowDecoder decoder =
      new RowDecoder(
          new DecodePlan(
              SchemaParser.toJson(SCHEMA),
              Map.of(),
              List.of("id"),
              TableSpec.Mode.KEYED,
              TableSpec.TruncatePolicy.APPLY,
              UnavailableValue.DEBEZIUM,
              new FeedPlan(
                  RecordSpec.JSON_LINES,
                  EnvelopeLayouts.named("debezium"),
                  TableFeed.WHOLE_TOPIC,
                  Fraction.REJECT),
              io.rowmark.merge.spec.KeptRows.NONE));

  private static RowDecoder canal() {
    return new RowDecoder(
        new DecodePlan(
            SchemaParser.toJson(
                new Schema(
                    Types.NestedField.required(1, "id", Types.LongType.get()),
                    Types.NestedField.optional(2, "at", Types.TimestampType.withoutZone()))),
            Map.of(),
            List.of("id"),
            TableSpec.Mode.KEYED,
            TableSpec.TruncatePolicy.APPLY,
            UnavailableValue.DEBEZIUM,
            new FeedPlan(
                RecordSpec.JSON_LINES,
                EnvelopeLayouts.named("canal"),
                TableFeed.WHOLE_TOPIC,
                Fraction.REJECT),
            io.rowmark.merge.spec.KeptRows.NONE));
  }

  @Test
  void textOfATypeThatTheTableReadsOtherwiseIsReadByTheColumn() {
    RowDecoder decoder = canal();
    List<SourceField> told =
        List.of(
            new SourceField("id", Plain.LONG, Presence.OPTIONAL, null),
            new SourceField("at", Plain.STRING, Presence.OPTIONAL, null),
            new SourceField("new", Plain.INT, Presence.OPTIONAL, null));
    assertThat(
            decoder
                .row(
                    ChangeOp.INSERT,
                    row("id", "1", "at", "2026-03-01 10:00:00", "new", "7"),
                    told,
                    Absent.EMPTY)
                .values())
        .containsExactly(1L, LocalDateTime.parse("2026-03-01T10:00:00"));
    assertThat(decoder.seen().typed())
        .extracting(field -> field.type())
        .containsExactly(Plain.LONG, Plain.INFERRED, Plain.INT);
  }

  @Test
  void anUpdateThatNamesAFewColumnsLeavesTheOthersAsTheyWere() {
    RowDecoder.Decoded decoded =
        decoder.row(ChangeOp.UPDATE, row("id", 1, "note", null), null, Absent.UNCHANGED);
    assertThat(decoded.values()).containsExactly(1L, null, null, null);
    assertThat(decoded.unavailable().stream().toArray()).containsExactly(2, 3);
    assertThatThrownBy(() -> decoder.row(ChangeOp.UPDATE, row("note", "x"), null, Absent.UNCHANGED))
        .isInstanceOfSatisfying(
            RecordRejected.class, rejected -> assertThat(rejected.code()).isEqualTo("key-null"));
  }

  private static Map<String, Object> row(Object... namesAndValues) {
    Map<String, Object> row = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  @Test
  void anAbsentColumnHasItsInitialDefaultOrNull() {
    RowDecoder.Decoded decoded =
        decoder.row(ChangeOp.INSERT, row("id", 1, "must", "x"), null, Absent.EMPTY);
    assertThat(decoded.values()).containsExactly(1L, null, "x", "then");
    assertThat(decoded.unavailable().isEmpty()).isTrue();
  }

  @Test
  void aGivenNullIsNotReplacedByTheDefault() {
    assertThat(
            decoder
                .row(ChangeOp.INSERT, row("id", 1, "must", "x", "later", null), null, Absent.EMPTY)
                .values())
        .containsExactly(1L, null, "x", null);
  }

  @Test
  void anUpdateMayLeaveValuesOutEvenRequiredOnes() {
    RowDecoder.Decoded decoded =
        decoder.row(
            ChangeOp.UPDATE, row("id", 1, "note", LEFT_OUT, "must", LEFT_OUT), null, Absent.EMPTY);
    assertThat(decoded.values()).containsExactly(1L, null, null, "then");
    assertThat(decoded.unavailable().stream().toArray()).containsExactly(1, 2);
  }

  @Test
  void anInsertMayLeaveValuesOutAsTheSecondHalfOfAKeyChange() {
    assertThat(
            decoder
                .row(
                    ChangeOp.INSERT,
                    row("id", 1, "note", LEFT_OUT, "must", "x"),
                    null,
                    Absent.EMPTY)
                .unavailable()
                .stream()
                .toArray())
        .containsExactly(1);
  }

  @Test
  void aSnapshotReadKeepsThePlaceholderAsTheUsersText() {
    RowDecoder.Decoded decoded =
        decoder.row(
            ChangeOp.SNAPSHOT_READ,
            row("id", 1, "note", LEFT_OUT, "must", "x"),
            null,
            Absent.EMPTY);
    assertThat(decoded.values()).containsExactly(1L, LEFT_OUT, "x", "then");
    assertThat(decoded.unavailable().isEmpty()).isTrue();
  }

  @Test
  void aMissingRequiredValueIsRejectedByItsColumn() {
    assertThatThrownBy(() -> decoder.row(ChangeOp.INSERT, row("id", 1), null, Absent.EMPTY))
        .isInstanceOfSatisfying(
            RecordRejected.class,
            rejected -> {
              assertThat(rejected.code()).isEqualTo("null-in-required");
              assertThat(rejected.column()).isEqualTo("must");
            });
    assertThatThrownBy(() -> decoder.row(ChangeOp.INSERT, row("must", "x"), null, Absent.EMPTY))
        .isInstanceOfSatisfying(
            RecordRejected.class, rejected -> assertThat(rejected.code()).isEqualTo("key-null"));
  }

  @Test
  void aKeyIsReadWithoutTheOtherColumns() {
    assertThat(decoder.key(row("id", 1, "note", "x"), null)).containsExactly(1L, null, null, null);
    assertThatThrownBy(() -> decoder.key(row("note", "x"), null))
        .isInstanceOfSatisfying(
            RecordRejected.class, rejected -> assertThat(rejected.code()).isEqualTo("key-missing"));
    assertThatThrownBy(() -> decoder.key(row("id", null), null))
        .isInstanceOfSatisfying(
            RecordRejected.class, rejected -> assertThat(rejected.code()).isEqualTo("key-null"));
  }

  @Test
  void unknownColumnsAreNoted() {
    decoder.row(ChangeOp.INSERT, row("id", 1, "must", "x", "new", 1.5), null, Absent.EMPTY);
    assertThat(decoder.seen().inferred()).extracting(field -> field.name()).containsExactly("new");
  }

  @Test
  void aRejectHoldsNoValue() {
    assertThatThrownBy(
            () ->
                decoder.row(ChangeOp.INSERT, row("id", "secret", "must", "x"), null, Absent.EMPTY))
        .isInstanceOf(RecordRejected.class)
        .hasMessageNotContaining("secret");
  }
}
