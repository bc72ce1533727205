package io.rowmark.merge.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.change.EnvelopeLayouts;
import io.rowmark.merge.record.JsonRecords;
import io.rowmark.merge.record.Slice;
import io.rowmark.merge.record.TransactionMark;
import io.rowmark.merge.spec.TableFeed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which source transaction records of Debezium are of. */
class TestMarkReader {
  private static final Slice SLICE =
      new Slice("/f.json", "f.json", 0, 0, 1, Slice.Place.RECORD_NUMBER, -1);

  private static @Nullable TransactionMark mark(TableFeed feed, String line) {
    return new MarkReader(EnvelopeLayouts.named("debezium"), feed)
        .mark(new JsonRecords().parse(line), SLICE, 1);
  }

  private static @Nullable TransactionMark mark(String line) {
    return mark(TableFeed.WHOLE_TOPIC, line);
  }

  /** Forms of the names by source: Postgres, MySQL with and without GTID, SQL Server, Oracle. */
  @ParameterizedTest
  @CsvSource({
    "571:53195832, 571",
    "3e11fa47-71ca-11e1-9e33-c80aa9429562:23, 3e11fa47-71ca-11e1-9e33-c80aa9429562:23",
    "'file=mysql-bin.000003,pos=154', 'file=mysql-bin.000003,pos=154'",
    "00000025:00000448:0003, 00000025:00000448:0003",
    "0a001b00ac030000, 0a001b00ac030000",
    "0-1-23, 0-1-23"
  })
  void ofATransactionsNameTheSharedPartCounts(String written, String shared) {
    TransactionMark mark =
        mark(
            """
            {"op":"c","after":{"id":1},"source":{"schema":"public","table":"t","snapshot":"false"},            "transaction":{"id":"%s","total_order":"2","data_collection_order":"1"}}"""
                .formatted(written));

    assertThat(mark.transaction()).isEqualTo(shared);
    assertThat(mark.number()).isEqualTo(1);
    assertThat(mark.sourceTable()).isEqualTo(".public.t");
  }

  @Test
  void allChangesOfATransactionOfPostgresHaveOnePosition() {
    String line =
        """
        {"op":"u","after":{"id":1},"source":{"connector":"postgresql","snapshot":"false",        "sequence":"[\\"100\\",\\"%d\\"]","lsn":%d},"transaction":{"id":"5:%d","total_order":%d}}""";

    TransactionMark one = mark(line.formatted(104, 104, 104, 1));
    TransactionMark other = mark(line.formatted(108, 108, 108, 2));

    assertThat(ChangeOrder.describe(one.commit())).isEqualTo("1/100");
    assertThat(other.commit()).isEqualTo(one.commit());
  }

  @Test
  void aSnapshotReadIsOfNoTransactionAndBeforeAllChanges() {
    TransactionMark mark =
        mark(
            """
            {"op":"r","after":{"id":1},"source":{"connector":"postgresql","snapshot":"first",            "sequence":"[null,\\"104\\"]","lsn":104},"transaction":null}""");

    assertThat(mark.transaction()).isNull();
    assertThat(ChangeOrder.epoch(mark.commit())).isEqualTo(ChangeOrder.SNAPSHOT_EPOCH);
  }

  @Test
  void recordsThatAreNoChangesOrOfOtherTablesHaveNoMark() {
    assertThat(
            List.of(
                "{\"status\":\"END\",\"id\":\"5:1\"}",
                "{\"ts_ms\":5}",
                "{\"op\":\"m\",\"transaction\":{\"id\":\"5:1\"}}",
                "no json",
                "null"))
        .allSatisfy(line -> assertThat(mark(line)).isNull());
    assertThat(
            mark(
                new TableFeed("public.a", List.of()),
                "{\"op\":\"c\",\"after\":{\"id\":1},\"source\":{\"schema\":\"public\",\"table\":\"b\"}}"))
        .isNull();
  }
}
