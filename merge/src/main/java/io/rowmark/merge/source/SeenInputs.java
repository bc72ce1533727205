package io.rowmark.merge.source;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is known to have gone in. */
public interface SeenInputs {
  /** Nothing has. */
  SeenInputs NONE =
      new SeenInputs() {
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
          return Set.of();
        }
      };

  /**
   * Whether an input, or a part of it, is still to be read for a data table.
   *
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when an input of this name went in
   *     with another size
   */
  boolean isNew(String table, InputFile file);

  /**
   * What was left of an input that went in in part, see {@link
   * io.rowmark.merge.record.Portion#rest}; empty for one that did not.
   */
  List<String> heldBack(String table, InputFile file);

  /**
   * Whether an input went into a data table when it had another modification time. Tools that copy
   * files change it, and so do those that write them anew.
   */
  default boolean isTouched(String table, InputFile file) {
    return false;
  }

  /** Names of the inputs that went into a data table. */
  Set<String> namesOf(String table);

  /** Modification time of an input that went into a data table; empty when none of the name did. */
  default Optional<Instant> timeOf(String table, String name) {
    return Optional.empty();
  }
}
