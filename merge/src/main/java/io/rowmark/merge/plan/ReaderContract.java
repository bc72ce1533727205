package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Who was promised to be able to read a table, and in which delete format. Kept as properties of
 * the table, so that every later batch, also one of another pipeline, is held against it.
 *
 * @param readers as declared, in order of their names
 * @param allowed conditions that were allowed, as {@code product/condition}, in order
 * @param capabilities day of the capability data that the decision was made with
 */
public record ReaderContract(
    List<String> readers, List<String> allowed, DeleteFormat format, LocalDate capabilities) {
  /** Table property: the readers, separated by commas. */
  public static final String READERS = "rowmark.readers";

  /** Table property: the conditions that were allowed, separated by commas; absent if none. */
  public static final String ALLOWED = "rowmark.allowed-conditions";

  /** Table property: the decided delete format. */
  public static final String FORMAT = "rowmark.delete-format";

  /** Table property: the day of the capability data. */
  public static final String CAPABILITIES = "rowmark.capabilities";

  public ReaderContract {
    readers = List.copyOf(new TreeSet<>(readers));
    allowed = List.copyOf(new TreeSet<>(allowed));
  }

  /** The contract of a table; empty if it has none, or one that cannot be read. */
  public static Optional<ReaderContract> of(Map<String, String> properties) {
    String readers = properties.getOrDefault(READERS, "");
    Optional<DeleteFormat> format =
        Arrays.stream(DeleteFormat.values())
            .filter(one -> one.text().equals(properties.get(FORMAT)))
            .findFirst();
    if (readers.isBlank() || format.isEmpty()) {
      return Optional.empty();
    }
    try {
      LocalDate date = LocalDate.parse(properties.getOrDefault(CAPABILITIES, "1970-01-01"));
      return Optional.of(
          new ReaderContract(
              split(readers), split(properties.getOrDefault(ALLOWED, "")), format.get(), date));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** Whether a table property is part of a contract. */
  public static boolean isOwn(String property) {
    return List.of(READERS, ALLOWED, FORMAT, CAPABILITIES).contains(property);
  }

  private static List<String> split(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).filter(one -> !one.isEmpty()).toList();
  }

  /** The properties to set on the table. */
  public Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(READERS, String.join(",", readers));
    if (!allowed.isEmpty()) {
      properties.put(ALLOWED, String.join(",", allowed));
    }
    properties.put(FORMAT, format.text());
    properties.put(CAPABILITIES, capabilities.toString());
    return properties;
  }

  /** Whether both were made for the same readers under the same conditions. */
  public boolean sameReaders(ReaderContract other) {
    return readers.equals(other.readers) && allowed.equals(other.allowed);
  }

  /** Whether both promise the same; newer capability data alone changes no promise. */
  public boolean equalsButDate(ReaderContract other) {
    return sameReaders(other) && format == other.format;
  }

  /** What differs in the declaration that follows this one, for people; the date is no matter. */
  public List<String> differencesTo(ReaderContract next) {
    List<String> differences = new ArrayList<>();
    compare("readers", readers, next.readers, differences);
    compare("allowed conditions", allowed, next.allowed, differences);
    if (format != next.format) {
      differences.add("delete format: %s -> %s".formatted(format.text(), next.format.text()));
    }
    return differences;
  }

  private static void compare(
      String what, List<String> before, List<String> after, List<String> differences) {
    if (!before.equals(after)) {
      differences.add("%s: %s -> %s".formatted(what, shown(before), shown(after)));
    }
  }

  private static String shown(List<String> names) {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }
}
