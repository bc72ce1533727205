package io.rowmark.merge.spec;

import java.util.Map;

/**
 * The Iceberg catalog.
 *
 * @param name name under which Spark knows the catalog
 * @param properties what Iceberg's {@code CatalogUtil} takes: type or catalog-impl, uri, warehouse,
 *     credentials; may hold secrets, so it is never printed unmasked
 */
public record CatalogSpec(String name, Map<String, String> properties) {
  public CatalogSpec {
    properties = Map.copyOf(properties);
  }

  /** Names the properties without their values, which may be secret. */
  @Override
  public String toString() {
    return "CatalogSpec[name=" + name + ", properties=" + properties.keySet() + "]";
  }
}
