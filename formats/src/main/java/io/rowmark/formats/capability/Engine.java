package io.rowmark.formats.capability;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * One engine and what is said of its versions.
 *
 * @param aliases other names that mean this engine
 * @param rows by version, oldest first; never empty, no version twice
 */
record Engine(
    String name, SortedSet<String> aliases, Popularity popularity, List<ReaderCapability> rows) {

  /** Whether reports name the engine where users did not declare it. */
  enum Popularity {
    POPULAR,
    OTHER
  }

  Engine {
    rows = List.copyOf(rows);
  }

  /**
   * The newest row that the version reaches. Without a version the newest row that is generally
   * available, for who writes "trino" means a current release.
   */
  Optional<ReaderCapability> row(@Nullable EngineVersion version) {
    ReaderCapability found = null;
    for (ReaderCapability row : rows) {
      boolean counts =
          version == null
              ? row.release() == ReaderCapability.Release.GA
              : row.minVersion() == null || row.minVersion().compareTo(version) <= 0;
      found = counts ? row : found;
    }
    return Optional.ofNullable(found);
  }
}
