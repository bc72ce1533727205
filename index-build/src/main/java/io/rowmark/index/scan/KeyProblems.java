package io.rowmark.index.scan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.IndexedTable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows that no index can hold, found while one is written.
 *
 * @param nullKeys rows with a null in a key column
 * @param repeatedKeys keys that more than one row has
 * @param surplusRows rows beyond the first of each such key
 * @param nullExamples places of a few of the first
 * @param clashes two places for a few of the second
 * @param clashFiles numbers of the data files that hold rows of such keys
 */
public record KeyProblems(
    long nullKeys,
    long repeatedKeys,
    long surplusRows,
    List<Place> nullExamples,
    List<Clash> clashes,
    Set<Integer> clashFiles)
    implements Serializable {

  /** Examples that a message shows. */
  public static final int EXAMPLES = 5;

  public static final KeyProblems NONE = new KeyProblems(0, 0, 0, List.of(), List.of(), Set.of());

  /** Two rows of one key. */
  public record Clash(Place first, Place second) implements Serializable {}

  public KeyProblems {
    nullExamples = List.copyOf(nullExamples);
    clashes = List.copyOf(clashes);
    clashFiles = Set.copyOf(clashFiles);
  }

  public KeyProblems plus(KeyProblems other) {
    return new KeyProblems(
        nullKeys + other.nullKeys,
        repeatedKeys + other.repeatedKeys,
        surplusRows + other.surplusRows,
        firstOf(nullExamples, other.nullExamples),
        firstOf(clashes, other.clashes),
        Stream.concat(clashFiles.stream(), other.clashFiles.stream()).collect(Collectors.toSet()));
  }

  private static <T> List<T> firstOf(List<T> one, List<T> other) {
    return Stream.concat(one.stream(), other.stream()).limit(EXAMPLES).toList();
  }

  public boolean any() {
    return nullKeys > 0 || repeatedKeys > 0;
  }

  /**
   * Names places and counts, never values.
   *
   * @param command to run again once the rows are corrected
   */
  public RowmarkException refusal(IndexedTable names, FileNumbers files, String command) {
    List<String> found = new ArrayList<>();
    if (nullKeys > 0) {
      String examples =
          nullExamples.stream().map(p -> p.describe(files)).collect(Collectors.joining("; "));
      found.add(
          "%d rows with a null in a key column, for example %s".formatted(nullKeys, examples));
    }
    if (repeatedKeys > 0) {
      String examples =
          clashes.stream()
              .map(c -> c.first().describe(files) + " and " + c.second().describe(files))
              .collect(Collectors.joining("; "));
      found.add(
          "%d keys that occur more than once (%d rows too many), for example %s"
              .formatted(repeatedKeys, surplusRows, examples));
    }
    return RowmarkException.tableState(
        "Table %s has %s. An index needs exactly one row for each key %s; nothing was committed. Correct these rows or choose other key columns, then run '%s' again."
            .formatted(names.data(), String.join(", and ", found), names.key(), command));
  }
}
