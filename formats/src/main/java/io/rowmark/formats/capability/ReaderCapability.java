package io.rowmark.formats.capability;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one engine reads from one version on.
 *
 * @param minVersion first version that this is said of; null for all
 * @param release whether that version is generally available
 * @param deletes an answer for every delete format
 * @param formatV3 whether tables of format version 3 are read at all, deletes aside
 * @param note what a person should know of this version; may be empty
 */
public record ReaderCapability(
    String engine,
    @Nullable EngineVersion minVersion,
    Release release,
    Map<DeleteFormat, Stated<Support>> deletes,
    Stated<Support> formatV3,
    String note) {

  /** Whether a version counts for readers that are declared without one. */
  public enum Release {
    GA,
    PREVIEW
  }

  public ReaderCapability {
    deletes = Map.copyOf(deletes);
  }

  public Stated<Support> deletes(DeleteFormat format) {
    return Objects.requireNonNull(deletes.get(format), format.name());
  }

  /** The name with the version from which this holds. */
  public String text() {
    return minVersion == null ? engine : engine + " " + minVersion.text();
  }
}
