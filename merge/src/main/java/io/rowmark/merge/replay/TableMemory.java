package io.rowmark.merge.replay;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.replay.ReplayPlan.Kept;
import io.rowmark.merge.stage.BatchMarker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * What a table still has of what its ledger says it took. A batch is in it if its mark is in an
 * ancestor of the current snapshot. That it is not proves nothing where ancestors were expired.
 */
final class TableMemory {
  private final @Nullable Table table;
  private final Map<String, List<LedgerEntry>> done = new LinkedHashMap<>();
  private final Set<String> marks = new HashSet<>();
  private final Set<Long> ancestors = new HashSet<>();
  private final boolean whole;
  private final @Nullable Instant oldestMark;

  /**
   * @param table null when it does not exist
   * @param entries of this table, done or passed over, oldest first
   */
  TableMemory(@Nullable Table table, List<LedgerEntry> entries) {
    this.table = table;
    entries.stream()
        .filter(entry -> entry.status() == Status.DONE)
        .forEach(
            entry -> done.computeIfAbsent(entry.input(), input -> new ArrayList<>()).add(entry));
    boolean toTheFirst = true;
    if (table != null) {
      for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
        ancestors.add(snapshot.snapshotId());
        BatchMarker.of(snapshot).ifPresent(marks::add);
        String picked = snapshot.summary().get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP);
        if (picked != null) {
          ancestors.add(Long.parseLong(picked));
        }
        toTheFirst = snapshot.parentId() == null;
      }
    }
    this.whole = toTheFirst;
    this.oldestMark =
        all()
            .filter(entry -> marks.contains(entry.batchId()))
            .map(LedgerEntry::recordedAt)
            .min(Comparator.naturalOrder())
            .orElse(null);
  }

  private Stream<LedgerEntry> all() {
    return done.values().stream().flatMap(List::stream);
  }

  /** Whether the table has an input, from whichever batch. */
  Kept of(String input) {
    Kept kept = Kept.NEVER_TAKEN;
    for (LedgerEntry entry : done.getOrDefault(input, List.of())) {
      Kept one = of(entry);
      if (one == Kept.YES) {
        return one;
      }
      kept = kept == Kept.UNKNOWN ? kept : one;
    }
    return kept;
  }

  /** Whether an input that the table lost was brought again by a later batch, and is there now. */
  boolean isBack(String input) {
    List<LedgerEntry> entries = done.getOrDefault(input, List.of());
    return entries.size() > 1 && of(entries.get(0)) == Kept.LOST && of(input) == Kept.YES;
  }

  private Kept of(LedgerEntry entry) {
    Long snapshot = entry.dataSnapshot();
    if (marks.contains(entry.batchId()) || (snapshot != null && ancestors.contains(snapshot))) {
      return Kept.YES;
    }
    boolean seenBeside = snapshot != null && table != null && table.snapshot(snapshot) != null;
    boolean olderOnesKept = oldestMark != null && oldestMark.isBefore(entry.recordedAt());
    return whole || seenBeside || olderOnesKept ? Kept.LOST : Kept.UNKNOWN;
  }

  /** When an input was taken for the first time, before any replay; null for never. */
  @Nullable Instant origin(String input) {
    List<LedgerEntry> entries = done.get(input);
    return entries == null ? null : entries.get(0).recordedAt();
  }

  /** Of the inputs that the table has, the one that was last taken for the first time. */
  Optional<LedgerEntry> newestKept() {
    return done.values().stream()
        .map(entries -> entries.get(0))
        .filter(first -> of(first.input()) == Kept.YES)
        .max(Comparator.comparing(LedgerEntry::recordedAt));
  }

  /**
   * The last snapshot of the table's index that a batch made and that describes a snapshot which
   * the table still has: there the index remembers the orders of the changes that the table has.
   */
  Optional<Snapshot> lastOfIndex(Table index) {
    Set<Long> had = new HashSet<>(ancestors);
    all()
        .filter(entry -> of(entry) == Kept.YES)
        .flatMap(entry -> Stream.ofNullable(entry.dataSnapshot()))
        .forEach(had::add);
    Snapshot last = null;
    for (Snapshot snapshot : index.snapshots()) {
      Long covered = IndexCoverage.of(snapshot).map(IndexCoverage::dataSnapshotId).orElse(null);
      boolean fits =
          BatchMarker.of(snapshot).isPresent() && covered != null && had.contains(covered);
      if (fits && (last == null || snapshot.sequenceNumber() > last.sequenceNumber())) {
        last = snapshot;
      }
    }
    return Optional.ofNullable(last);
  }
}
