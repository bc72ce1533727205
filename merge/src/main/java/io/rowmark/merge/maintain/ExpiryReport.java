package io.rowmark.merge.maintain;

/**
 * What an expiry did.
 *
 * @param snapshots that are gone
 * @param dataFiles removed from storage
 * @param deleteFiles likewise
 * @param metadataFiles manifests and manifest lists, likewise
 */
public record ExpiryReport(
    ExpiryPlan plan,
    int snapshots,
    long dataFiles,
    long deleteFiles,
    long metadataFiles,
    long millis) {}
