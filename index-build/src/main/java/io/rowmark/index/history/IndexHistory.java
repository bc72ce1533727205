package io.rowmark.index.history;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.lookup.IndexEntry;
import io.rowmark.index.lookup.KeyText;
import io.rowmark.index.resolve.IndexHit;
import io.rowmark.index.resolve.LookupCost;
import io.rowmark.index.resolve.LookupResult;
import io.rowmark.index.resolve.PageLookup;
import io.rowmark.index.resolve.ReadRanges;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Looks a key up in all retained snapshots of an index. An index file is opened once for all
 * snapshots, and only if its bounds allow for the key; deletes are read of files that have it.
 */
public final class IndexHistory {
  private final Table data;
  private final Table index;
  private final SortedKeys wanted;
  private final PageLookup lookup;
  private final Set<Integer> bounded;
  private final BaseDeleteLoader deletes;
  private final Map<String, List<IndexHit>> hits = new HashMap<>();
  private final Map<String, PositionDeleteIndex> hidden = new HashMap<>();
  private LookupCost cost = LookupCost.NONE;

  private IndexHistory(Table data, Table index, KeySpec key, SortedKeys wanted) {
    this.data = data;
    this.index = index;
    this.wanted = wanted;
    this.lookup = PageLookup.of(index, key, ReadRanges.DEFAULT);
    this.bounded = PageLookup.boundedColumns(index, key);
    this.deletes = new BaseDeleteLoader(index.io()::newInputFile);
  }

  /**
   * @param values of the key, as {@link KeyText} reads them
   * @param batchOf the batch that made a snapshot of the index, if one did
   * @throws RowmarkException CONFIG when the values do not fit the key, TABLE_STATE when there is
   *     no index
   */
  public static KeyHistory of(
      SparkSession spark,
      IndexedTable names,
      List<String> values,
      Function<Snapshot, Optional<String>> batchOf) {
    Table data = names.loadData();
    KeySpec key = names.keyOf(data);
    SortedKeys wanted = KeyText.read(spark, names, key, values);
    Table index =
        IndexTables.find(names.catalog(), names.index())
            .orElseThrow(
                () ->
                    RowmarkException.tableState(
                        "Table %s has no index %s. Run 'rowmark index build'."
                            .formatted(names.data(), names.index())));
    IndexTables.checkKey(index, key, names.data());
    return new IndexHistory(data, index, key, wanted).walk(names, batchOf);
  }

  private KeyHistory walk(IndexedTable names, Function<Snapshot, Optional<String>> batchOf) {
    Deque<Snapshot> oldestFirst = new ArrayDeque<>();
    SnapshotUtil.currentAncestors(index).forEach(oldestFirst::push);
    List<Stay> stays = new ArrayList<>();
    int looked = 0;
    int silent = 0;
    for (Snapshot snapshot : oldestFirst) {
      if (DataOperations.REPLACE.equals(snapshot.operation())) {
        continue;
      }
      Optional<IndexCoverage> claim = IndexCoverage.of(snapshot);
      if (claim.isEmpty() || !claim.get().tableUuid().equals(data.uuid())) {
        silent++;
        continue;
      }
      looked++;
      Long covered = claim.get().dataSnapshotId();
      List<IndexEntry> entries = entries(snapshot);
      int last = stays.size() - 1;
      if (last >= 0 && stays.get(last).says(entries)) {
        stays.set(last, stays.get(last).until(covered));
      } else {
        stays.add(
            new Stay(
                entries,
                covered,
                covered,
                time(covered, snapshot),
                batchOf.apply(snapshot).orElse(null),
                snapshot.snapshotId()));
      }
    }
    return new KeyHistory(
        names.data().toString(), names.index().toString(), stays, looked, silent, cost);
  }

  /** The data table may have expired the snapshot; the index followed it soon. */
  private Instant time(@Nullable Long covered, Snapshot snapshot) {
    Snapshot described = covered == null ? null : data.snapshot(covered);
    return Instant.ofEpochMilli(
        described == null ? snapshot.timestampMillis() : described.timestampMillis());
  }

  private List<IndexEntry> entries(Snapshot snapshot) {
    List<IndexEntry> entries = new ArrayList<>();
    for (LiveFile file : LiveFiles.withBounds(index, snapshot, bounded).all()) {
      for (IndexHit hit : hits.computeIfAbsent(file.path(), path -> find(file))) {
        if (!isHidden(file, hit.indexPosition())) {
          entries.add(hit.entry());
        }
      }
    }
    return entries;
  }

  /**
   * Rows of a file with the key, hidden or not: which are hidden differs from snapshot to snapshot.
   */
  private List<IndexHit> find(LiveFile file) {
    LookupResult found =
        lookup.find(List.of(new LiveFile(file.file(), List.of())), wanted, Runnable::run);
    cost = cost.plus(found.cost());
    return found.hits();
  }

  private boolean isHidden(LiveFile file, long position) {
    if (file.positionalDeletes().isEmpty()) {
      return false;
    }
    String state =
        file.positionalDeletes().stream()
            .map(delete -> delete.location() + "@" + delete.contentOffset())
            .sorted()
            .collect(Collectors.joining(" ", file.path() + " ", ""));
    return hidden
        .computeIfAbsent(
            state, any -> deletes.loadPositionDeletes(file.positionalDeletes(), file.path()))
        .isDeleted(position);
  }
}
