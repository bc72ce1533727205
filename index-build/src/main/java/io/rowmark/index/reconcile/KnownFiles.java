package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.FileState;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.ReconcileReport.Basis;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The difference between the files that an index knows and those that are live (docs/adr/0008).
 *
 * @param basis where the known files came from
 */
record KnownFiles(Basis basis, FileSetDiff diff) {
  private static final Logger LOG = LoggerFactory.getLogger(KnownFiles.class);

  static KnownFiles compare(
      SparkSession spark,
      IndexedTable names,
      Table data,
      KeySpec key,
      IndexCoverage coverage,
      Snapshot indexSnapshot,
      LiveFiles live) {
    Map<String, FileState> now = FileState.of(live);
    Optional<Map<String, FileState>> covered = covered(data, coverage);
    Set<Integer> keyColumns =
        key.columns().stream().map(KeySpec.KeyColumn::fieldId).collect(Collectors.toSet());
    return covered.isPresent()
        ? new KnownFiles(Basis.COVERED_SNAPSHOT, FileSetDiff.since(covered.get(), now, keyColumns))
        : new KnownFiles(
            Basis.ENTRIES,
            FileSetDiff.ofEntries(EntryScan.countByFile(spark, names, indexSnapshot), now));
  }

  private static Optional<Map<String, FileState>> covered(Table data, IndexCoverage coverage) {
    Long id = coverage.dataSnapshotId();
    if (id == null) {
      return Optional.of(Map.of());
    }
    Snapshot snapshot = data.snapshot(id);
    if (snapshot == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(FileState.of(LiveFiles.at(data, snapshot)));
    } catch (NotFoundException e) {
      LOG.warn("Snapshot {} of {} has lost its manifests", id, data.name(), e);
      return Optional.empty();
    }
  }
}
