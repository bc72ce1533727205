package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.type.SourceType.SourceField;
import io.rowmark.merge.record.JsonRecords;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.spec.TableFeed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the shipped envelopes and a described one make of records; Debezium's has its own test. */
class TestEnvelopeReader {
  private final JsonRecords records = new JsonRecords();

  private List<? extends Parsed> read(EnvelopeLayout layout, TableFeed table, String line) {
    return new EnvelopeReader(layout, table, List.of("id"))
        .read(records.parse(line), slice("f.json"), 3);
  }

  private static Slice slice(String name) {
    return new Slice("/" + name, "t/" + name, 2, 0, 1, Slice.Place.RECORD_NUMBER, -1);
  }

  private Parsed.Event event(String envelope, String line) {
    List<? extends Parsed> parsed =
        read(EnvelopeLayouts.named(envelope), TableFeed.WHOLE_TOPIC, line);
    assertThat(parsed).singleElement().isInstanceOf(Parsed.Event.class);
    return (Parsed.Event) parsed.get(0);
  }

  @Test
  void oneMessageOfCanalHasManyRowsEachWithItsOwnOldKey() {
    List<? extends Parsed> parsed =
        read(
            EnvelopeLayouts.named("canal"),
            TableFeed.WHOLE_TOPIC,
            """
            {"type":"UPDATE","isDdl":false,"mysqlType":{"id":"bigint(20)","v":"int"},\
            "data":[{"id":"1","v":"5"},{"id":"20","v":null}],"old":[{"v":"4"},{"id":"2"}]}""");
    assertThat(parsed).hasSize(2);
    Parsed.Event first = (Parsed.Event) parsed.get(0);
    Parsed.Event second = (Parsed.Event) parsed.get(1);
    assertThat(first.movedFrom()).isNull();
    assertThat(second.movedFrom()).containsEntry("id", "2");
    assertThat(first.fields()).extracting(SourceField::name).containsExactly("id", "v");
    assertThat(first.fields()).isSameAs(second.fields());
    assertThat(ChangeOrder.describe(first.order())).isEqualTo("1/2/3/0");
    assertThat(ChangeOrder.describe(second.order())).isEqualTo("1/2/3/1");
  }

  @Test
  void theRowBeforeAnUpdateTakesItsKeyAwayBeforeTheRowAfterComes() {
    assertFormer(
        "delta-changes",
        "{\"id\":1,\"_change_type\":\"update_preimage\",\"_commit_version\":7}",
        "{\"id\":2,\"_change_type\":\"update_postimage\",\"_commit_version\":7}");
    assertFormer(
        "iceberg-changelog",
        "{\"id\":1,\"_change_type\":\"UPDATE_BEFORE\",\"_change_ordinal\":7}",
        "{\"id\":2,\"_change_type\":\"UPDATE_AFTER\",\"_change_ordinal\":7}");
  }

  private void assertFormer(String envelope, String before, String after) {
    List<? extends Parsed> parsed =
        read(EnvelopeLayouts.named(envelope), TableFeed.WHOLE_TOPIC, before);
    assertThat(parsed).singleElement().isInstanceOf(Parsed.Former.class);
    Parsed.Former former = (Parsed.Former) parsed.get(0);
    Parsed.Event put = event(envelope, after);
    assertThat(former.reason()).isEqualTo("preimage");
    assertThat(former.removal().op()).isEqualTo(ChangeOp.DELETE);
    assertThat(former.removal().before()).containsOnlyKeys("id");
    assertThat(put.op()).isEqualTo(ChangeOp.UPDATE);
    assertThat(ChangeOrder.COMPARATOR.compare(former.removal().order(), put.order())).isNegative();
    assertThat(
            new EnvelopeReader(EnvelopeLayouts.named(envelope), TableFeed.WHOLE_TOPIC, List.of())
                .read(records.parse(before), slice("f.json"), 3))
        .singleElement()
        .isEqualTo(new Parsed.Skip("preimage"));
  }

  @Test
  void goldenGateSaysWhichValuesAreMissing() {
    Parsed.Event event =
        event(
            "goldengate",
            """
            {"op_type":"U","pos":"00000000020000003000","before":{"id":1},\
            "after":{"id":1,"a":null,"a_isMissing":true,"b":null,"b_isMissing":false}}""");
    assertThat(event.after())
        .containsOnlyKeys("id", "a", "b")
        .containsEntry("a", LeftOut.VALUE)
        .containsEntry("b", null);
    assertThat(event.absent()).isEqualTo(Absent.UNCHANGED);
    assertThat(event.movedFrom()).isNull();
  }

  @Test
  void onlyUpdatesLeaveColumnsOut() {
    assertThat(
            event("goldengate", "{\"op_type\":\"I\",\"pos\":\"1\",\"after\":{\"id\":1}}").absent())
        .isEqualTo(Absent.EMPTY);
  }

  @Test
  void aBeforeImageBesideTheRowTellsTheOldKey() {
    EnvelopeReader dms =
        new EnvelopeReader(
            EnvelopeLayouts.named("dms"), TableFeed.WHOLE_TOPIC, List.of("id", "part"));
    Parsed.Event event =
        (Parsed.Event)
            dms.read(
                    records.parse(
                        "{\"Op\":\"U\",\"BI_id\":1,\"BI_part\":null,\"id\":10,\"part\":\"a\"}"),
                    slice("20260301-100000000.csv"),
                    7)
                .get(0);
    assertThat(event.after()).containsOnlyKeys("id", "part");
    assertThat(event.movedFrom()).containsEntry("id", 1).containsEntry("part", "a");
    assertThat(ChangeOrder.describe(event.order())).isEqualTo("1/0/0/20260301100000000/7");
  }

  @Test
  void filesOfAFullLoadLoseToChanges() {
    EnvelopeReader dms =
        new EnvelopeReader(EnvelopeLayouts.named("dms"), TableFeed.WHOLE_TOPIC, List.of("id"));
    Parsed.Event load =
        (Parsed.Event) dms.read(records.parse("{\"id\":1}"), slice("LOAD0000000A.csv"), 1).get(0);
    assertThat(load.op()).isEqualTo(ChangeOp.INSERT);
    assertThat(ChangeOrder.describe(load.order())).isEqualTo("0/10/0/0/1");
  }

  @Test
  void aRecordOfAnotherTableIsPassedOver() {
    EnvelopeLayout maxwell = EnvelopeLayouts.named("maxwell");
    String line =
        "{\"database\":\"store\",\"table\":\"%s\",\"type\":\"insert\",\"data\":{\"id\":1}}";
    TableFeed shelf = new TableFeed("store.shelf", List.of());
    assertThat(read(maxwell, shelf, line.formatted("shelf")).get(0))
        .isInstanceOf(Parsed.Event.class);
    assertThat(read(maxwell, shelf, line.formatted("bookshelf")).get(0))
        .isEqualTo(new Parsed.Skip("other-table"));
    assertThat(read(maxwell, new TableFeed("shelf", List.of()), line.formatted("shelf")).get(0))
        .isInstanceOf(Parsed.Event.class);
    assertThat(read(maxwell, shelf, "{\"type\":\"insert\",\"data\":{\"id\":1}}").get(0))
        .isInstanceOfSatisfying(
            Parsed.Bad.class, bad -> assertThat(bad.code()).isEqualTo("unknown-table"));
  }

  @Test
  void aBackfillOfDatastreamHasTheLowestOrder() {
    Parsed.Event read =
        event(
            "datastream",
            """
            {"read_method":"mysql-backfill-fulldump","source_metadata":{"log_file":null,\
            "change_type":"INSERT","is_deleted":false},"payload":{"id":1}}""");
    assertThat(ChangeOrder.describe(read.order())).isEqualTo("0/0/0");
  }

  @Test
  void aRowWithoutOperationIsOneMoreRowOfATableWithoutKey() {
    EnvelopeReader flat =
        new EnvelopeReader(EnvelopeLayouts.named("flat"), TableFeed.WHOLE_TOPIC, List.of());
    assertThat(((Parsed.Event) flat.read(records.parse("{\"id\":1}"), slice("f"), 1).get(0)).op())
        .isEqualTo(ChangeOp.INSERT);
    assertThat(event("flat", "{\"id\":1}").op()).isEqualTo(ChangeOp.UPDATE);
  }

  @Test
  void aTombstoneWithItsKeyDeletesWhereAsked() {
    EnvelopeLayout layout =
        described(
            "like = debezium-flat, record { key = key, value = value }, tombstones = delete,"
                + " order = [\"$record.offset\"]");
    Parsed.Event delete =
        (Parsed.Event)
            read(
                    layout,
                    TableFeed.WHOLE_TOPIC,
                    "{\"key\":{\"schema\":{},\"payload\":{\"id\":5}},\"value\":null,\"offset\":42}")
                .get(0);
    assertThat(delete.op()).isEqualTo(ChangeOp.DELETE);
    assertThat(delete.before()).containsEntry("id", 5);
    assertThat(ChangeOrder.describe(delete.order())).isEqualTo("1/42");
    assertThat(read(layout, TableFeed.WHOLE_TOPIC, "{\"key\":null,\"value\":null}").get(0))
        .isEqualTo(new Parsed.Skip("tombstone"));
  }

  @Test
  void anEnvelopeOfTheUsersOwnNeedsNoCode() {
    EnvelopeLayout layout =
        described(
            """
            op { path = meta.kind, codes { new = insert, chg = update, del = delete, ping = "skip ping" } }
            snapshot = { path = meta.phase, is = [initial] }
            order = ["meta.log number-suffix", "meta.pos"]
            exclude = [meta]""");
    Parsed.Event event =
        (Parsed.Event)
            read(
                    layout,
                    TableFeed.WHOLE_TOPIC,
                    "{\"id\":1,\"meta\":{\"kind\":\"chg\",\"phase\":\"initial\",\"log\":\"l.7\",\"pos\":8}}")
                .get(0);
    assertThat(event.op()).isEqualTo(ChangeOp.UPDATE);
    assertThat(event.after()).containsOnlyKeys("id");
    assertThat(ChangeOrder.describe(event.order())).isEqualTo("0/7/8");
    assertThat(read(layout, TableFeed.WHOLE_TOPIC, "{\"meta\":{\"kind\":\"ping\"}}").get(0))
        .isEqualTo(new Parsed.Skip("ping"));
  }

  private static EnvelopeLayout described(String text) {
    return EnvelopeLayouts.described(ConfigFactory.parseString(text).root());
  }
}
