package io.rowmark.formats.delete;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.CatalogCapability;
import org.jspecify.annotations.Nullable;

/**
 * All that the choice of a delete format depends on.
 *
 * @param catalog null where nothing is known of the catalog; it then rules nothing out
 * @param data must know every reader of the audience
 */
public record DeleteRequest(
    Audience audience,
    @Nullable CatalogCapability catalog,
    TableState table,
    Wishes wishes,
    CapabilityData data) {

  public DeleteRequest {
    audience.readers().forEach(data::capability);
  }

  public DeleteRequest with(Audience other) {
    return new DeleteRequest(other, catalog, table, wishes, data);
  }

  public DeleteRequest with(Wishes other) {
    return new DeleteRequest(audience, catalog, table, other, data);
  }

  /** The same on a catalog of which nothing is known. */
  public DeleteRequest withoutCatalog() {
    return new DeleteRequest(audience, null, table, wishes, data);
  }
}
