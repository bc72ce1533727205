package io.rowmark.merge.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestSnapshotName {
  private static SeenInputs seen(String... names) {
    return new SeenInputs() {
      @Override
      public boolean isNew(String table, InputFile file) {
        return true;
      }

      @Override
      public List<String> heldBack(String table, InputFile file) {
        return List.of();
      }

      @Override
      public Set<String> namesOf(String table) {
        return Set.of(names);
      }
    };
  }

  @Test
  void readsWhatItWrites() {
    SnapshotName name = new SnapshotName("lake.a#b", 12, 4815162342L);

    assertThat(name).hasToString("lake.a#b#12@4815162342");
    assertThat(SnapshotName.of(name.toString())).contains(name);
  }

  @Test
  void namesOfFilesAreNone() {
    assertThat(SnapshotName.of("orders/orders+0+17.json")).isEmpty();
    assertThat(SnapshotName.of("orders/a#b@c.json")).isEmpty();
  }

  @Test
  void theHighestNumberIsTheLastAsANumber() {
    SeenInputs seen = seen("l.raw#9@70", "l.raw#10@20", "l.other#11@5", "x/file.json");

    assertThat(SnapshotName.last(seen, "l.t", "l.raw")).contains(new SnapshotName("l.raw", 10, 20));
    assertThat(SnapshotName.last(seen, "l.t", "l.none")).isEmpty();
  }
}
