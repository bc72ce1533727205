package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.index.FileState;
import io.rowmark.formats.index.PartialCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.reconcile.ReconcileReport.Basis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /**
   * @param progress what the index claims, or claimed before others moved the table on
   * @param delta begun on the index
   * @param live files of the data table's current snapshot
   */
  static KnownFiles compare(
      SparkSession spark,
      IndexedTable names,
      Table data,
      KeySpec key,
      PartialCoverage progress,
      IndexDelta delta,
      LiveFiles live) {
    Map<String, FileState> now = FileState.of(live);
    Set<Integer> keyColumns =
        key.columns().stream().map(KeySpec.KeyColumn::fieldId).collect(Collectors.toSet());
    Optional<Former> former = former(data, progress, keyColumns);
    if (former.isPresent()) {
      FileSetDiff diff = FileSetDiff.since(former.get().known(), now, keyColumns);
      return new KnownFiles(Basis.COVERED_SNAPSHOT, doubted(diff, former.get(), now, keyColumns));
    }
    return new KnownFiles(
        Basis.ENTRIES,
        FileSetDiff.ofEntries(EntryScan.countByFile(spark, names, delta.base()), now));
  }

  /**
   * The files as the entries describe them: as they were at the claim, but for those that a round
   * has read since. Files that a round saw vanish stay known, since entries that name them are
   * left.
   *
   * @param thinned files of which a round may have dropped entries, since rows of them were gone
   *     for its target; with their states there, empty for a file that had vanished
   */
  private record Former(
      Map<String, FileState> known, Map<String, List<Optional<FileState>>> thinned) {}

  private static Optional<Former> former(
      Table data, PartialCoverage progress, Set<Integer> keyColumns) {
    Long id = progress.former().dataSnapshotId();
    Optional<Map<String, FileState>> claimed = id == null ? Optional.of(Map.of()) : at(data, id);
    if (claimed.isEmpty()) {
      return Optional.empty();
    }
    Map<String, FileState> known = new HashMap<>(claimed.get());
    Map<String, List<Optional<FileState>>> thinned = new HashMap<>();
    for (PartialCoverage.Round round : progress.rounds()) {
      Optional<Map<String, FileState>> target = at(data, round.snapshotId());
      if (target.isEmpty()) {
        return Optional.empty();
      }
      Map<String, FileState> then = target.get();
      FileSetDiff diff = FileSetDiff.since(known, then, keyColumns);
      for (String path : diff.withStaleEntries()) {
        thinned
            .computeIfAbsent(path, any -> new ArrayList<>())
            .add(Optional.ofNullable(then.get(path)));
      }
      for (String path : diff.toRead()) {
        if (path.compareTo(round.upTo()) <= 0) {
          known.put(path, Objects.requireNonNull(then.get(path)));
          thinned.remove(path);
        }
      }
    }
    return Optional.of(new Former(known, thinned));
  }

  /** Rows that were gone for a target, and are there again, may have lost their entries. */
  private static FileSetDiff doubted(
      FileSetDiff diff, Former former, Map<String, FileState> live, Set<Integer> keyColumns) {
    Set<String> countable = new HashSet<>();
    Set<String> unclear = new HashSet<>();
    former
        .thinned()
        .forEach(
            (path, states) -> {
              FileState now = live.get(path);
              if (now == null || diff.toRead().contains(path)) {
                return;
              }
              if (now.equality().isEmpty()) {
                countable.add(path);
              } else if (!states.stream().allMatch(then -> lostOnly(now, then, keyColumns))) {
                unclear.add(path);
              }
            });
    return diff.withDoubts(countable, unclear);
  }

  private static boolean lostOnly(
      FileState now, Optional<FileState> then, Set<Integer> keyColumns) {
    return then.filter(state -> now.equals(state) || now.onlyLostRows(state, keyColumns))
        .isPresent();
  }

  private static Optional<Map<String, FileState>> at(Table data, long id) {
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
