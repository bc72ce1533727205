package io.rowmark.formats.index;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What an index claims to know, kept in the summary of its current snapshot. An index may be used
 * only if the claim equals the data table as it is.
 *
 * @param tableUuid uuid of the data table
 * @param dataSnapshotId the data table's snapshot that the entries describe; null for an empty
 *     table without a snapshot
 * @param keyFingerprint see {@link io.rowmark.formats.key.KeySpec#fingerprint()}
 * @param codecVersion version of the index's own layout
 * @param truncatedAt order of the last truncate applied; older changes of any key are stale. Null
 *     if there was none
 */
public record IndexCoverage(
    UUID tableUuid,
    @Nullable Long dataSnapshotId,
    String keyFingerprint,
    int codecVersion,
    byte @Nullable [] truncatedAt) {

  /** Version of the index layout that this build writes and reads. */
  public static final int CODEC_VERSION = 1;

  private static final String UUID_PROPERTY = "rowmark.table-uuid";
  private static final String SNAPSHOT_PROPERTY = "rowmark.data-snapshot";
  private static final String KEY_PROPERTY = "rowmark.key";
  private static final String CODEC_PROPERTY = "rowmark.codec";
  private static final String TRUNCATED_PROPERTY = "rowmark.truncated-at";
  private static final String NO_SNAPSHOT = "none";

  public static IndexCoverage of(
      UUID tableUuid,
      @Nullable Long dataSnapshotId,
      String keyFingerprint,
      byte @Nullable [] truncatedAt) {
    return new IndexCoverage(tableUuid, dataSnapshotId, keyFingerprint, CODEC_VERSION, truncatedAt);
  }

  /** The properties to set on the index's snapshot. */
  public Map<String, String> toSummary() {
    Map<String, String> summary = new LinkedHashMap<>();
    summary.put(UUID_PROPERTY, tableUuid.toString());
    summary.put(SNAPSHOT_PROPERTY, dataSnapshotId == null ? NO_SNAPSHOT : "" + dataSnapshotId);
    summary.put(KEY_PROPERTY, keyFingerprint);
    summary.put(CODEC_PROPERTY, Integer.toString(codecVersion));
    if (truncatedAt != null) {
      summary.put(TRUNCATED_PROPERTY, HexFormat.of().formatHex(truncatedAt));
    }
    return summary;
  }

  /** Reads the claim of a snapshot; empty if it makes none, as a foreign commit does not. */
  public static Optional<IndexCoverage> of(@Nullable Snapshot snapshot) {
    return snapshot == null ? Optional.empty() : of(snapshot.summary());
  }

  static Optional<IndexCoverage> of(Map<String, String> summary) {
    if (!summary.containsKey(UUID_PROPERTY)) {
      return Optional.empty();
    }
    String dataSnapshot = summary.getOrDefault(SNAPSHOT_PROPERTY, NO_SNAPSHOT);
    String truncated = summary.get(TRUNCATED_PROPERTY);
    return Optional.of(
        new IndexCoverage(
            UUID.fromString(summary.get(UUID_PROPERTY)),
            dataSnapshot.equals(NO_SNAPSHOT) ? null : Long.valueOf(dataSnapshot),
            summary.getOrDefault(KEY_PROPERTY, ""),
            Integer.parseInt(summary.getOrDefault(CODEC_PROPERTY, "0")),
            truncated == null ? null : HexFormat.of().parseHex(truncated)));
  }

  /**
   * Whether the entries speak of this table, key and layout, at whatever snapshot. Then what they
   * remember of each key (order of the last change, deletion) is still worth keeping when the rest
   * is stale.
   */
  public boolean sameSubject(IndexCoverage other) {
    return tableUuid.equals(other.tableUuid)
        && codecVersion == other.codecVersion
        && keyFingerprint.equals(other.keyFingerprint);
  }

  /**
   * Why this index must not be used for a table; empty if it may.
   *
   * @param expected the claim that the table as it is would need
   */
  public Optional<String> mismatch(IndexCoverage expected) {
    if (!tableUuid.equals(expected.tableUuid)) {
      return Optional.of("it belongs to another table (uuid %s)".formatted(tableUuid));
    }
    if (codecVersion != expected.codecVersion) {
      return Optional.of("it has layout version %d".formatted(codecVersion));
    }
    if (!keyFingerprint.equals(expected.keyFingerprint)) {
      return Optional.of("it was built for another key (%s)".formatted(keyFingerprint));
    }
    Long covered = dataSnapshotId;
    Long current = expected.dataSnapshotId;
    if (covered == null ? current != null : !covered.equals(current)) {
      return Optional.of(
          "it covers snapshot %s and the table is at %s".formatted(covered, current));
    }
    return Optional.empty();
  }
}
