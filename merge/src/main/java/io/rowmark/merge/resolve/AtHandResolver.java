package io.rowmark.merge.resolve;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeysBuilder;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.resolve.IndexHit;
import io.rowmark.index.resolve.LookupEstimate;
import io.rowmark.index.resolve.LookupResult;
import io.rowmark.index.resolve.PageLookup;
import io.rowmark.index.resolve.ReadRanges;
import io.rowmark.index.resolve.SparkKeys;
import io.rowmark.merge.normalize.Events;
import io.rowmark.merge.normalize.NetChange;
import io.rowmark.merge.normalize.NetChangesAtHand;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedChanges.Placed;
import io.rowmark.merge.resolve.ResolvedRows.State;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a small batch on the driver, without a Spark job: reads the pages of the index that can
 * hold its keys. It comes to the same as {@link PositionResolver} does with Spark.
 */
final class AtHandResolver {
  private final Executor threads;

  AtHandResolver(Executor threads) {
    this.threads = threads;
  }

  /** Whether a batch of a table can be resolved here. */
  static boolean fits(OpenTable table, NormalizedTable normalized) {
    OpenIndex index = table.index();
    return NetChangesAtHand.fits(normalized)
        && (index == null || index.live().all().stream().allMatch(PageLookup::canRead));
  }

  ResolvedTable resolve(OpenTable table, NormalizedTable normalized, Events.AtHand events) {
    List<NetChange> net = NetChangesAtHand.of(normalized, events);
    Lookup lookup =
        table.isKeyed()
            ? placed(table, net)
            : new Lookup(net.stream().map(one -> new Placed(one, null)).toList(), LookupReads.NONE);
    Tally tally = new Tally();
    List<Placed> applied = new ArrayList<>();
    for (Placed one : lookup.changes()) {
      State state = state(table, one);
      tally.add(one, state);
      if (state != State.STALE) {
        applied.add(one);
      }
    }
    OpenIndex index = table.index();
    return new ResolvedTable(
        table,
        normalized,
        new ResolvedChanges.AtHand(applied),
        new Truncation.None(),
        tally.counts(),
        table.live().requireAll(tally.dataFiles()),
        index == null ? Map.of() : index.live().requireAll(tally.indexFiles()),
        List.of(),
        lookup.reads());
  }

  private record Lookup(List<Placed> changes, LookupReads reads) {}

  /** The changes in key order, each with its entry. */
  private Lookup placed(OpenTable table, List<NetChange> net) {
    Ascending sorted = ascending(table, net);
    OpenIndex index = table.index();
    @Nullable IndexHit[] found = new IndexHit[net.size()];
    LookupReads reads = LookupReads.NONE;
    if (index != null && !index.live().isEmpty() && !net.isEmpty()) {
      reads = lookUp(table, index, sorted, found);
    }
    List<Placed> placed = new ArrayList<>(net.size());
    for (int i = 0; i < found.length; i++) {
      placed.add(new Placed(sorted.changes().get(i), found[i]));
    }
    return new Lookup(placed, reads);
  }

  /** Changes in the order of their keys. */
  private record Ascending(SortedKeysBuilder.Ascending keys, List<NetChange> changes) {}

  private static Ascending ascending(OpenTable table, List<NetChange> net) {
    KeySpec key = table.requireKey();
    SparkKeys keys = SparkKeys.ofTable(key, table.table().schema());
    net.forEach(change -> keys.add(change.row()));
    SortedKeysBuilder.Ascending sorted = keys.ascending();
    return new Ascending(sorted, Arrays.stream(sorted.added()).mapToObj(net::get).toList());
  }

  private LookupReads lookUp(
      OpenTable table, OpenIndex index, Ascending sorted, @Nullable IndexHit[] found) {
    Collection<LiveFile> files = index.live().all();
    PageLookup lookup = PageLookup.of(index.table(), table.requireKey(), ReadRanges.DEFAULT);
    LookupEstimate estimate = lookup.estimate(files, sorted.keys().keys());
    LookupResult result = lookup.find(files, sorted.keys().keys(), threads);
    for (IndexHit hit : result.hits()) {
      if (found[hit.key()] != null) {
        throw RowmarkException.tableState(
            "The index of table %s has two entries for one key. Nothing was committed. Run 'rowmark index verify', then 'rowmark index build'."
                .formatted(table.name()));
      }
      found[hit.key()] = hit;
    }
    return LookupReads.ofPages(estimate, result.cost());
  }

  /** As {@link Judgement#state} says of changes without left-out values. */
  private static State state(OpenTable table, Placed placed) {
    if (table.deletesByKey()) {
      return State.NOT_LOOKED_UP;
    }
    byte[] order = placed.change().order();
    IndexHit hit = placed.found();
    OpenIndex index = table.index();
    byte[] truncated = index == null ? null : index.truncatedAt();
    if (ChangeOrder.isStale(order, hit == null ? null : hit.entry().changeOrder())
        || (order != null
            && ChangeOrder.epoch(order) == ChangeOrder.STREAM_EPOCH
            && ChangeOrder.isStale(order, truncated))) {
      return State.STALE;
    }
    if (hit == null) {
      return State.ABSENT;
    }
    return hit.entry().dataFile() == null ? State.TOMBSTONE : State.LIVE;
  }
}
