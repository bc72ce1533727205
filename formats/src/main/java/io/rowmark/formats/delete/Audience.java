package io.rowmark.formats.delete;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.DeclaredReader;
import io.rowmark.formats.failure.RowmarkException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who must be able to read the tables.
 *
 * @param readers at least one, none twice, in the order of declaration
 * @param allowed conditions that the user allows, as {@code product/condition}
 */
public record Audience(List<DeclaredReader> readers, SortedSet<String> allowed) {
  public Audience {
    readers = List.copyOf(new LinkedHashSet<>(readers));
    allowed = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(allowed));
    if (readers.isEmpty()) {
      throw RowmarkException.config(
          "readers is empty. The readers decide how deletes are written: name every engine that"
              + " reads the tables, as in readers = [spark, \"trino 480\"].");
    }
  }

  /**
   * Reads both lists as users write them.
   *
   * @throws RowmarkException CONFIG where a name is unknown or no reader is named
   */
  public static Audience of(List<String> readers, List<String> allowed, CapabilityData data) {
    return new Audience(
        readers.stream().map(data::reader).toList(),
        allowed.stream().map(data::condition).collect(Collectors.toCollection(TreeSet::new)));
  }

  /** The conditions that are allowed of one engine or catalog, without its name. */
  public Set<String> allowedOf(String product) {
    String prefix = product + "/";
    return allowed.stream()
        .filter(condition -> condition.startsWith(prefix))
        .map(condition -> condition.substring(prefix.length()))
        .collect(Collectors.toUnmodifiableSet());
  }
}
