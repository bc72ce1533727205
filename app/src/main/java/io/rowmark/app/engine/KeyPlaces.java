package io.rowmark.app.engine;

import io.rowmark.index.lookup.IndexEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an index says that a key is.
 *
 * @param behind why the index does not describe the table as it is; null if it does
 * @param entries none for a key that was never there, one in a sound index
 */
public record KeyPlaces(
    String table, String index, @Nullable String behind, List<IndexEntry> entries) {
  public KeyPlaces {
    entries = List.copyOf(entries);
  }
}
