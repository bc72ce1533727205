package io.rowmark.merge.migrate;

import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.compact.FileMerge;
import io.rowmark.index.compact.RunTier;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a ledger, to which every batch adds a file, at few files: each run reads all of it. */
public record LedgerUpkeep(SparkSession spark) {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerUpkeep.class);

  /** Opening so many small files takes about as long as a small batch. */
  static final int MERGED_FROM = 64;

  /** What the summary tells without a look at manifests. */
  private static boolean mayHaveMany(@Nullable Snapshot head) {
    return head != null
        && PropertyUtil.propertyAsInt(
                head.summary(), SnapshotSummary.TOTAL_DATA_FILES_PROP, MERGED_FROM)
            >= MERGED_FROM;
  }

  /** Merges small files when they have become many. Where it fails, the ledger is as before. */
  public void mergeFiles(Table ledger) {
    if (!mayHaveMany(ledger.currentSnapshot())) {
      return;
    }
    Optional<RunTier> tier =
        RunTier.of(
            LiveFiles.at(ledger, ledger.currentSnapshot()).all(),
            MERGED_FROM,
            FileMerge.largest(ledger));
    if (tier.isEmpty()) {
      return;
    }
    try {
      LOG.info(
          "Merged files of the ledger {}: {}",
          ledger.name(),
          FileMerge.merge(spark, ledger, tier.get()));
    } catch (RuntimeException e) {
      LOG.warn("Cannot merge {} files of the ledger {}", tier.get().files(), ledger.name(), e);
    }
  }
}
