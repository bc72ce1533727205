package io.rowmark.formats.capability;

import io.rowmark.formats.delete.DeleteFormat;
import java.util.Map;
import java.util.Objects;

/**
 * What one catalog accepts.
 *
 * @param deletes an answer for every delete format
 * @param formatV3 whether tables of format version 3 are accepted
 * @param stagedCreate whether a table may be created within a multi-table commit
 * @param note what a person should know of it; may be empty
 */
public record CatalogCapability(
    String name,
    Map<DeleteFormat, Stated<Support>> deletes,
    Stated<Support> formatV3,
    Stated<MultiTableCommit> multiTableCommit,
    Stated<Support> stagedCreate,
    String note) {

  public CatalogCapability {
    deletes = Map.copyOf(deletes);
  }

  public Stated<Support> deletes(DeleteFormat format) {
    return Objects.requireNonNull(deletes.get(format), format.name());
  }
}
