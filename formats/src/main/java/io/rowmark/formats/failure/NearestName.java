package io.rowmark.formats.failure;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a misspelt one was probably meant to be. */
public final class NearestName {
  private NearestName() {}

  /** The known name with the fewest edits, if they are fewer than half of the name. */
  public static Optional<String> of(String misspelt, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.<String>comparingInt(name -> distance(misspelt, name))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name -> distance(misspelt, name) <= Math.max(2, name.length() / 2));
  }

  /** Levenshtein distance. */
  private static int distance(String left, String right) {
    int[] previous = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      int[] current = new int[right.length() + 1];
      current[0] = row;
      for (int column = 1; column <= right.length(); column++) {
        int replaced =
            previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
        current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
      }
      previous = current;
    }
    return previous[right.length()];
  }
}
