package io.rowmark.merge.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.ChangeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every change of an input is in exactly one of the portions that batches take one after another.
 */
class TestPortion {
  private static final TransactionMark NONE = new TransactionMark(null, 0, null, "");

  private static TransactionMark mark(String id) {
    return new TransactionMark(id, 1, null, "");
  }

  private static TransactionMark at(long position) {
    return new TransactionMark(null, 0, ChangeOrder.encode(1, position), "");
  }

  @Test
  void portionsByTransactionDivideAnInput() {
    Random random = new Random(17);
    for (int trial = 0; trial < 200; trial++) {
      Set<String> left = new TreeSet<>();
      for (int i = 0; i < random.nextInt(1, 6); i++) {
        left.add("t" + i);
      }
      Set<String> all = Set.copyOf(left);
      List<Portion> portions = new ArrayList<>();
      Portion portion = new Portion.Without(left);
      portions.add(portion);
      while (!portion.heldBack().isEmpty()) {
        assertThat(Portion.rest(portion.heldBack())).isEqualTo(new Portion.Of(left, Set.of()));
        Set<String> now = new TreeSet<>(left);
        now.removeIf(id -> random.nextBoolean());
        left.removeAll(now);
        portion = new Portion.Of(now, left);
        portions.add(portion);
      }
      all.forEach(id -> assertThat(takers(portions, mark(id))).as(id).isEqualTo(1));
      assertThat(takers(portions, mark("other"))).isEqualTo(1);
      assertThat(takers(portions, NONE)).isEqualTo(1);
      assertThat(takers(portions, null)).isEqualTo(1);
    }
  }

  @Test
  void portionsByPositionDivideAnInput() {
    Portion first = new Portion.Between(null, ChangeOrder.encode(1, 10));
    Portion rest = Portion.rest(first.heldBack());
    Portion.Between second =
        new Portion.Between(((Portion.Between) rest).after(), ChangeOrder.encode(1, 20));
    Portion last = Portion.rest(second.heldBack());
    List<Portion> portions = List.of(first, second, last);

    for (long position = 8; position < 23; position++) {
      assertThat(takers(portions, at(position))).as("position %d", position).isEqualTo(1);
    }
    assertThat(first.takes(at(10))).isTrue();
    assertThat(second.takes(at(20))).isTrue();
    assertThat(last.takes(at(21))).isTrue();
    assertThat(last.heldBack()).isEmpty();
    assertThat(takers(portions, NONE)).isEqualTo(1);
    assertThat(takers(portions, null)).isEqualTo(1);
  }

  private static long takers(List<Portion> portions, @Nullable TransactionMark mark) {
    return portions.stream().filter(portion -> portion.takes(mark)).count();
  }

  @Test
  void portionsOfOneInputHaveTextsOfTheirOwn() {
    assertThat(
            List.of(
                new Portion.Without(Set.of("a")).text(),
                new Portion.Of(Set.of("a"), Set.of()).text(),
                new Portion.Of(Set.of("b"), Set.of("a")).text(),
                Portion.WHOLE.text()))
        .doesNotHaveDuplicates();
  }
}
