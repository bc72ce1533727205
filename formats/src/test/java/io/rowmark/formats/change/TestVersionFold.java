package io.rowmark.formats.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.rowmark.formats.change.VersionFold.Ended;
import io.rowmark.formats.change.VersionFold.Origin;
import io.rowmark.formats.change.VersionFold.Version;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TestVersionFold {
  private static final long SEED = 20261130;

  private static Object[] row(Object... values) {
    return values;
  }

  private static BitSet gaps(int... columns) {
    BitSet set = new BitSet();
    for (int column : columns) {
      set.set(column);
    }
    return set;
  }

  private static String text(VersionFold fold) {
    List<String> texts = new ArrayList<>();
    for (Ended ended : fold.ended()) {
      texts.add(text(ended.version()) + ".." + ended.to());
    }
    Version open = fold.open();
    texts.add(open == null ? "gone" : text(open) + "..");
    return String.join(" ", texts);
  }

  private static String text(Version version) {
    return (version.origin() == Origin.STORED ? "old " : "")
        + List.of(version.row())
        + version.from();
  }

  @Test
  void eachChangeEndsTheVersionBeforeIt() {
    VersionFold fold = new VersionFold(null, VersionFold.NEVER);
    fold.put(row("a", 1), gaps(), 10);
    fold.put(row("b", 2), gaps(), 20);
    fold.remove(30);
    fold.put(row("c", 3), gaps(), 40);
    assertThat(text(fold)).isEqualTo("[a, 1]10..20 [b, 2]20..30 [c, 3]40..");
    assertThat(fold.last()).isEqualTo(40);
  }

  @Test
  void valuesLeftOutAreThoseOfTheVersionBefore() {
    VersionFold fold =
        new VersionFold(new Version(row("a", 1), 10, Origin.STORED), VersionFold.NEVER);
    assertThat(fold.put(row("b", null), gaps(1), 20)).isTrue();
    assertThat(fold.put(row(null, 3), gaps(0), 30)).isTrue();
    assertThat(text(fold)).isEqualTo("old [a, 1]10..20 [b, 1]20..30 [b, 3]30..");
    fold.remove(40);
    assertThat(fold.put(row("c", null), gaps(1), 50)).isFalse();
    assertThat(fold.open()).isNull();
    assertThat(fold.last()).isEqualTo(40);
  }

  @Test
  void aVersionThatLastsNoTimeGivesItsPlaceToTheNext() {
    VersionFold fold = new VersionFold(new Version(row("a"), 10, Origin.STORED), 10);
    fold.put(row("b"), gaps(), 10);
    assertThat(text(fold)).isEqualTo("old [b]10..");
    fold.remove(10);
    assertThat(text(fold)).isEqualTo("gone");
  }

  @Test
  void aClockThatGoesBackIsHeldAtTheLastChange() {
    VersionFold fold = new VersionFold(null, 50);
    fold.put(row("a"), gaps(), 10);
    assertThat(text(fold)).isEqualTo("[a]50..");
    fold.put(row("b"), gaps(), 60);
    fold.put(row("c"), gaps(), 55);
    assertThat(text(fold)).isEqualTo("[a]50..60 [c]60..");
  }

  @Test
  void itDoesNotMatterWhereChangesAreCutIntoBatches() {
    Random random = new Random(SEED);
    for (int run = 0; run < 200; run++) {
      VersionFold whole = new VersionFold(null, VersionFold.NEVER);
      VersionFold part = new VersionFold(null, VersionFold.NEVER);
      List<String> ended = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        long time = 10 + i / 2 - random.nextInt(3);
        boolean removal = random.nextInt(4) == 0;
        boolean gap = whole.open() != null && random.nextInt(3) == 0;
        for (VersionFold fold : List.of(whole, part)) {
          if (removal) {
            fold.remove(time);
          } else {
            fold.put(gap ? row(i, null) : row(i, i), gap ? gaps(1) : gaps(), time);
          }
        }
        if (random.nextInt(3) == 0) {
          part.ended().forEach(one -> ended.add(text(one.version()) + ".." + one.to()));
          Version open = part.open();
          part =
              new VersionFold(
                  open == null ? null : new Version(open.row(), open.from(), Origin.NEW),
                  part.last());
        }
      }
      ended.add(text(part));
      assertThat(String.join(" ", ended)).as("seed %d, run %d", SEED, run).isEqualTo(text(whole));
    }
  }
}
