package io.rowmark.formats.capability;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A product's version: numbers with dots, compared number by number; missing ones count as zero.
 *
 * @param text as it was written, such as {@code 1.10}
 */
public record EngineVersion(String text) implements Comparable<EngineVersion> {
  private static final Pattern FORM = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){0,7}");

  public EngineVersion {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("Not a version: " + text);
    }
  }

  /** Empty where the text is not made of numbers and dots. */
  public static Optional<EngineVersion> parse(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new EngineVersion(text)) : Optional.empty();
  }

  private int[] numbers() {
    return Arrays.stream(text.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
  }

  @Override
  public int compareTo(EngineVersion other) {
    int[] mine = numbers();
    int[] others = other.numbers();
    for (int place = 0; place < Math.max(mine.length, others.length); place++) {
      int result =
          Integer.compare(
              place < mine.length ? mine[place] : 0, place < others.length ? others[place] : 0);
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  /** By number: 4.0 equals 4.0.0. */
  @Override
  public boolean equals(Object other) {
    return other instanceof EngineVersion version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    int[] numbers = numbers();
    int length = numbers.length;
    while (length > 0 && numbers[length - 1] == 0) {
      length--;
    }
    return Arrays.hashCode(Arrays.copyOf(numbers, length));
  }
}
