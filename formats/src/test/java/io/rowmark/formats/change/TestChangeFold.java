package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.ChangeFold.Change;
import io.rowmark.formats.change.ChangeFold.Net;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestChangeFold {
  private final ChangeFold<String> fold = new ChangeFold<>();

  private static BitSet columns(int... unavailable) {
    BitSet set = new BitSet();
    for (int column : unavailable) {
      set.set(column);
    }
    return set;
  }

  private void put(String key, Object[] row, int... unavailable) {
    fold.add(new Change<>(key, row, columns(unavailable), null, "put " + key));
  }

  private void move(String from, String to, Object[] row, int... unavailable) {
    remove(from);
    fold.add(new Change<>(to, row, columns(unavailable), from, "move to " + to));
  }

  private void remove(String key) {
    fold.add(new Change<>(key, null, columns(), null, "remove " + key));
  }

  private static Object[] row(Object... values) {
    return values;
  }

  private Net<String> net(String key) {
    return fold.result().stream().filter(net -> net.key().equals(key)).findFirst().orElseThrow();
  }

  @Test
  void theLastChangeWins() {
    put("a", row(1, "x"));
    put("a", row(2, "y"));
    assertThat(fold.result()).hasSize(1);
    assertThat(net("a").row()).containsExactly(2, "y");
    remove("a");
    assertThat(net("a").row()).isNull();
    assertThat(net("a").token()).isEqualTo("remove a");
    put("a", row(3, "z"));
    assertThat(net("a").row()).containsExactly(3, "z");
  }

  @Test
  void aLeftOutValueComesFromTheChangeBefore() {
    put("a", row(1, "big"));
    put("a", row(2, null), 1);
    assertThat(net("a").row()).containsExactly(2, "big");
    assertThat(net("a").unavailable().isEmpty()).isTrue();
    assertThat(net("a").base()).isNull();
  }

  @Test
  void aValueLeftOutByAllChangesComesFromTheStoredRow() {
    put("a", row(1, null, null), 1, 2);
    put("a", row(2, null, "new"), 1);
    assertThat(net("a").row()).containsExactly(2, null, "new");
    assertThat(net("a").unavailable()).isEqualTo(columns(1));
    assertThat(net("a").base()).isEqualTo("a");
  }

  @Test
  void leftOutValuesFollowAChainOfKeyChanges() {
    move("a", "b", row(1, null), 1);
    move("b", "c", row(2, null), 1);
    assertThat(net("a").row()).isNull();
    assertThat(net("b").row()).isNull();
    assertThat(net("c").row()).containsExactly(2, null);
    assertThat(net("c").base()).isEqualTo("a");
    assertThat(fold.unfillable()).isEmpty();
  }

  @Test
  void aKeyChangeTakesItsValueFromTheRowPutUnderTheOldKey() {
    put("a", row(1, "big"));
    move("a", "b", row(2, null), 1);
    assertThat(net("b").row()).containsExactly(2, "big");
    assertThat(net("b").base()).isNull();
  }

  @Test
  void swappedRowsKeepTheirOwnLeftOutValues() {
    move("a", "t", row(1, null), 1);
    move("b", "a", row(2, null), 1);
    move("t", "b", row(1, null), 1);
    assertThat(net("a").base()).isEqualTo("b");
    assertThat(net("b").base()).isEqualTo("a");
    assertThat(net("t").row()).isNull();
    assertThat(fold.unfillable()).isEmpty();
  }

  @Test
  void aKeyUsedAgainDoesNotInheritFromTheRowThatLeftIt() {
    move("a", "b", row(1, null), 1);
    put("a", row(9, "other"));
    put("b", row(2, null), 1);
    assertThat(net("b").base()).isEqualTo("a");
    assertThat(net("a").row()).containsExactly(9, "other");
  }

  @Test
  void aGapAfterARemovalHasNoRowToComeFrom() {
    remove("a");
    put("a", row(1, null), 1);
    assertThat(fold.unfillable()).isEqualTo(List.of("put a"));
  }

  @Test
  void aGapIsForgivenOnceTheKeyIsWrittenWhole() {
    remove("a");
    put("a", row(1, null), 1);
    put("a", row(2, "whole"));
    assertThat(net("a").row()).containsExactly(2, "whole");
    assertThat(net("a").unavailable().isEmpty()).isTrue();
  }

  @Test
  void theGivenRowIsNotChanged() {
    Object[] given = row(2, null);
    put("a", row(1, "big"));
    put("a", given, 1);
    assertThat(given).containsExactly(2, null);
  }

  @Test
  void nothingIsLeftAfterClear() {
    put("a", row(1, "x"));
    fold.clear();
    assertThat(fold.result()).isEmpty();
    put("a", row(2, null), 1);
    assertThat(net("a").base()).isEqualTo("a");
  }
}
