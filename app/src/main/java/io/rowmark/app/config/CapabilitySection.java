package io.rowmark.app.config;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.CatalogCapability;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.CapabilitySpec;
import org.jspecify.annotations.Nullable;

/** Reads what the user adds to the capability data, and which catalog the pipeline has. */
final class CapabilitySection {
  private static final String SECTION = "capabilities";

  private CapabilitySection() {}

  static CapabilitySpec read(EffectiveConfig config, Section catalog) {
    CapabilityData data =
        CapabilityData.bundled().withOverrides(config.root().toConfig().getConfig(SECTION));
    return new CapabilitySpec(data, catalog(catalog, data));
  }

  /**
   * The kind that the user names; else the one that follows from the client's type. Of a REST
   * catalog without a kind nothing is known.
   */
  private static @Nullable CatalogCapability catalog(Section section, CapabilityData data) {
    String kind = section.optionalText("kind");
    if (!kind.isBlank()) {
      try {
        return data.catalog(kind);
      } catch (RowmarkException e) {
        throw section.error("kind", "is unknown: " + e.getMessage());
      }
    }
    String type = section.properties("properties").getOrDefault("type", "");
    return type.equals("rest") ? null : data.findCatalog(type).orElse(null);
  }
}
