package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestSourceOrder {
  private static Map<String, Object> block(Object... namesAndValues) {
    Map<String, Object> block = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      block.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return block;
  }

  private static byte[] stream(Map<String, ?> source, Map<String, ?> transaction) {
    Map<String, Object> event = block("source", source, "transaction", transaction);
    return EnvelopeLayouts.named("debezium")
        .order()
        .of(ChangeOrder.STREAM_EPOCH, new RecordView(event, event, "f", 0, 1, 0));
  }

  private static String shown(Map<String, ?> source, Map<String, ?> transaction) {
    return ChangeOrder.describe(stream(source, transaction));
  }

  @Test
  void postgresOrdersBySequenceThenPlaceInTheTransaction() {
    Map<String, Object> source =
        block("connector", "postgresql", "sequence", "[\"100\",\"90\"]", "lsn", 90L);
    assertThat(shown(source, block("total_order", 7))).isEqualTo("1/100/90/7");
    assertThat(shown(source, block("total_order", "7"))).isEqualTo("1/100/90/7");
    assertThat(shown(source, null)).isEqualTo("1/100/90/0");
  }

  @Test
  void postgresSequencesMayHoldNulls() {
    Map<String, Object> source = block("connector", "postgresql", "lsn", 90L);
    source.put("sequence", "[null,\"40052792\"]");
    assertThat(shown(source, null)).isEqualTo("1/0/40052792/0");
    source.put("sequence", " [ null , \"5\" ] ");
    assertThat(shown(source, null)).isEqualTo("1/0/5/0");
  }

  @Test
  void postgresWithoutSequenceOrdersByItsLsn() {
    assertThat(shown(block("connector", "postgresql", "lsn", 90L), null)).isEqualTo("1/0/90/0");
  }

  @Test
  void anUnreadableSequenceGivesNoOrder() {
    for (String text : new String[] {"", "[1,2]", "[\"1\"]", "[\"1\",\"x\"]", "\"1\",\"2\""}) {
      assertThat(stream(block("connector", "postgresql", "sequence", text, "lsn", 9), null))
          .as(text)
          .isNull();
    }
  }

  @Test
  void numbersAreComparedAsNumbers() {
    byte[] nine = stream(block("connector", "postgresql", "sequence", "[null,\"9\"]"), null);
    byte[] ten = stream(block("connector", "postgresql", "sequence", "[null,\"10\"]"), null);
    assertThat(ChangeOrder.COMPARATOR.compare(nine, ten)).isNegative();
  }

  @Test
  void numbersBeyondDoublesKeepEveryDigit() {
    String lower = "9007199254740992";
    String higher = "9007199254740993";
    assertThat(
            shown(block("connector", "postgresql", "sequence", "[\"" + lower + "\",\"1\"]"), null))
        .isEqualTo("1/" + lower + "/1/0");
    byte[] one = stream(block("connector", "oracle", "commit_scn", lower, "scn", "1"), null);
    byte[] two = stream(block("connector", "oracle", "commit_scn", higher, "scn", "1"), null);
    assertThat(ChangeOrder.COMPARATOR.compare(one, two)).isNegative();
  }

  @Test
  void aNumberTooLargeForALongGivesNoOrder() {
    assertThat(stream(block("connector", "oracle", "commit_scn", "9223372036854775808"), null))
        .isNull();
  }

  @Test
  void mysqlOrdersByTheNumberOfItsFile() {
    Map<String, Object> ninth =
        block("connector", "mysql", "file", "mysql-bin.999999", "pos", 400L, "row", 0);
    Map<String, Object> next =
        block("connector", "mysql", "file", "mysql-bin.1000000", "pos", 4L, "row", 2);
    assertThat(shown(next, null)).isEqualTo("1/1000000/4/2");
    assertThat(ChangeOrder.COMPARATOR.compare(stream(ninth, null), stream(next, null)))
        .isNegative();
    assertThat(stream(block("connector", "mysql", "file", "no-number", "pos", 4), null)).isNull();
  }

  @Test
  void sqlServerOrdersByHexadecimalNumbers() {
    Map<String, Object> source =
        block(
            "connector",
            "sqlserver",
            "commit_lsn",
            "00000025:00000d98:00a2",
            "change_lsn",
            "00000025:00000d98:0009",
            "event_serial_no",
            2);
    assertThat(shown(source, null)).isEqualTo("1/37/3480/162/37/3480/9/2");
    source.put("change_lsn", null);
    assertThat(shown(source, null)).isEqualTo("1/37/3480/162/0/0/0/2");
    source.put("change_lsn", "25:d98:9");
    assertThat(stream(source, null)).isNull();
  }

  @Test
  void sqlServerNumbersUseAllTheirBits() {
    byte[] low =
        stream(block("connector", "sqlserver", "commit_lsn", "7fffffff:ffffffff:0001"), null);
    byte[] high =
        stream(block("connector", "sqlserver", "commit_lsn", "80000000:00000000:0001"), null);
    assertThat(ChangeOrder.COMPARATOR.compare(low, high)).isNegative();
  }

  @Test
  void anUnknownConnectorGivesNoOrder() {
    assertThat(stream(block("connector", "vitess", "lsn", 1), null)).isNull();
    assertThat(stream(block("lsn", 1), null)).isNull();
  }
}
