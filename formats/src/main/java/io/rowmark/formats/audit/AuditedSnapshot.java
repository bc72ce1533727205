package io.rowmark.formats.audit;

import java.time.Instant;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.jspecify.annotations.Nullable;

/**
 * What was audited.
 *
 * @param table name, with its catalog where the catalog gives one
 * @param metadataFile the metadata that says so; null where the catalog does not name it
 * @param formatVersion of the table as it is now, also when an older snapshot is audited
 * @param snapshotId null for a table without a snapshot, which has no files
 * @param committedAt null for a table without a snapshot
 * @param partitioning of the table as it is now
 */
public record AuditedSnapshot(
    String table,
    @Nullable String metadataFile,
    int formatVersion,
    @Nullable Long snapshotId,
    @Nullable Instant committedAt,
    Partitioning partitioning) {

  /** Whether any spec that the table knows has a partition field. */
  public enum Partitioning {
    NONE,
    PARTITIONED,
    /** Files may lie under different specs. */
    EVOLVED
  }

  static AuditedSnapshot of(Table table, @Nullable Snapshot snapshot) {
    return new AuditedSnapshot(
        table.name(),
        metadataFile(table),
        TableUtil.formatVersion(table),
        snapshot == null ? null : snapshot.snapshotId(),
        snapshot == null ? null : Instant.ofEpochMilli(snapshot.timestampMillis()),
        partitioning(table));
  }

  private static @Nullable String metadataFile(Table table) {
    return table instanceof HasTableOperations base
        ? base.operations().current().metadataFileLocation()
        : null;
  }

  private static Partitioning partitioning(Table table) {
    if (table.specs().values().stream().allMatch(PartitionSpec::isUnpartitioned)) {
      return Partitioning.NONE;
    }
    return table.specs().size() == 1 ? Partitioning.PARTITIONED : Partitioning.EVOLVED;
  }
}
