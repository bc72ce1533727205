package io.rowmark.formats.capability;

import org.jspecify.annotations.Nullable;

/**
 * An engine that must be able to read the tables. Made by {@link CapabilityData#reader}, which puts
 * the engine's own name for an alias.
 *
 * @param version the oldest version in use; null for the newest that is generally available
 */
public record DeclaredReader(String engine, @Nullable EngineVersion version) {

  /** As a user writes it: {@code trino} or {@code trino 480}. */
  public String text() {
    return version == null ? engine : engine + " " + version.text();
  }
}
