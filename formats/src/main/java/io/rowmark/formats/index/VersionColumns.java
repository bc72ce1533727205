package io.rowmark.formats.index;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The columns that tell the versions of a row apart in a history table, kept as properties of the
 * table: whoever makes an index of it must take the current versions alone.
 *
 * @param from start of a version, inclusive
 * @param to end of a version, exclusive; null in the current one
 * @param current column that is true in the current version; null for none
 */
public record VersionColumns(String from, String to, @Nullable String current)
    implements Serializable {
  /** Table property: the name of the column {@code from}. A table that has it is a history. */
  public static final String FROM = "rowmark.history.valid-from";

  public static final String TO = "rowmark.history.valid-to";
  public static final String CURRENT = "rowmark.history.is-current";

  /** The columns of a table; empty if it is no history. */
  public static Optional<VersionColumns> of(Map<String, String> properties) {
    String from = properties.get(FROM);
    String to = properties.get(TO);
    return from == null || to == null
        ? Optional.empty()
        : Optional.of(new VersionColumns(from, to, properties.get(CURRENT)));
  }

  /** The properties to set on the table. */
  public Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(FROM, from);
    properties.put(TO, to);
    if (current != null) {
      properties.put(CURRENT, current);
    }
    return properties;
  }

  /** For people, as in {@code valid_from, valid_to}. */
  public String text() {
    return from + ", " + to + (current == null ? "" : ", " + current);
  }
}
