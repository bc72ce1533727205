package io.rowmark.merge.spec;

import io.rowmark.formats.capability.CapabilityData;
import io.rowmark.formats.capability.CatalogCapability;
import org.jspecify.annotations.Nullable;

/**
 * What is known of engines and of the pipeline's catalog.
 *
 * @param data what is bundled, with the user's statements laid over it
 * @param catalog null when nothing is known of the catalog
 */
public record CapabilitySpec(CapabilityData data, @Nullable CatalogCapability catalog) {}
