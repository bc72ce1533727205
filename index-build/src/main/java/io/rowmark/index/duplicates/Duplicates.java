package io.rowmark.index.duplicates;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows of one table whose key a newer row has.
 *
 * @param keys how many keys have several rows
 * @param rows rows besides the newest of each
 * @param examples the first of these rows by file and position, at most {@link #MOST_EXAMPLES}
 */
public record Duplicates(long keys, long rows, List<DuplicatePlace> examples) {
  public static final int MOST_EXAMPLES = 20;

  private static final int SHOWN = 3;

  public static final Duplicates NONE = new Duplicates(0, 0, List.of());

  public Duplicates {
    examples = List.copyOf(examples);
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  public Duplicates plus(Duplicates other) {
    return new Duplicates(
        keys + other.keys,
        rows + other.rows,
        Stream.concat(examples.stream(), other.examples.stream()).limit(MOST_EXAMPLES).toList());
  }

  /** Counts and a few places, for people. */
  public String text() {
    String places =
        examples.stream().limit(SHOWN).map(DuplicatePlace::text).collect(Collectors.joining("; "));
    return "%,d rows of %,d keys that a newer row has, as at %s".formatted(rows, keys, places);
  }
}
