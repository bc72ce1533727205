package io.rowmark.formats.verdict;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The readers that a table's own properties declare: its reader contract. */
public final class DeclaredReaders {
  /** Table property: readers with commas between them, as in {@code spark, trino 480}. */
  public static final String PROPERTY = "rowmark.readers";

  private DeclaredReaders() {}

  /** As written; empty where the table declares none. */
  public static List<String> of(Map<String, String> properties) {
    return parse(properties.getOrDefault(PROPERTY, ""));
  }

  /** Parts a list with commas; empty parts are left out. */
  public static List<String> parse(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).filter(p -> !p.isEmpty()).toList();
  }
}
