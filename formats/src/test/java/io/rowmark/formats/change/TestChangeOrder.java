package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestChangeOrder {
  private static int compare(byte[] one, byte[] other) {
    return Integer.signum(ChangeOrder.COMPARATOR.compare(one, other));
  }

  @Test
  void bytesSortAsTheNumbersDo() {
    long[] ascending = {
      Long.MIN_VALUE, -256, -1, 0, 1, 9, 10, 255, 256, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE
    };
    for (int i = 1; i < ascending.length; i++) {
      byte[] lower = ChangeOrder.encode(1, ascending[i - 1]);
      byte[] higher = ChangeOrder.encode(1, ascending[i]);
      assertThat(compare(lower, higher))
          .as("%d below %d", ascending[i - 1], ascending[i])
          .isEqualTo(-1);
    }
  }

  @Test
  void anEarlierNumberOutweighsAllLaterOnes() {
    assertThat(compare(ChangeOrder.encode(1, 2, 0), ChangeOrder.encode(1, 1, Long.MAX_VALUE)))
        .isEqualTo(1);
  }

  @Test
  void aSnapshotReadIsBelowEveryStreamedChange() {
    byte[] read = ChangeOrder.encode(ChangeOrder.SNAPSHOT_EPOCH, Long.MAX_VALUE);
    byte[] streamed = ChangeOrder.encode(ChangeOrder.STREAM_EPOCH, Long.MIN_VALUE);
    assertThat(compare(read, streamed)).isEqualTo(-1);
    assertThat(ChangeOrder.epoch(read)).isEqualTo(ChangeOrder.SNAPSHOT_EPOCH);
    assertThat(ChangeOrder.epoch(streamed)).isEqualTo(ChangeOrder.STREAM_EPOCH);
  }

  @Test
  void onlyAnOlderChangeIsStale() {
    byte[] older = ChangeOrder.encode(1, 5);
    byte[] newer = ChangeOrder.encode(1, 6);
    assertThat(ChangeOrder.isStale(older, newer)).isTrue();
    assertThat(ChangeOrder.isStale(newer, older)).isFalse();
    assertThat(ChangeOrder.isStale(newer, newer.clone())).isFalse();
    assertThat(ChangeOrder.isStale(null, newer)).isFalse();
    assertThat(ChangeOrder.isStale(older, null)).isFalse();
  }

  @Test
  void anOrderIsShownAsItsNumbers() {
    assertThat(ChangeOrder.describe(ChangeOrder.encode(1, 40124144, -3)))
        .isEqualTo("1/40124144/-3");
  }
}
