package io.rowmark.merge.replay;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.replay.ReplayRequest.Batches;
import io.rowmark.merge.replay.ReplayRequest.Inputs;
import io.rowmark.merge.replay.ReplayRequest.Times;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a ledger that a request names, batch by batch in the order of recording. */
final class LedgerRange {
  private LedgerRange() {}

  /**
   * Entries by batch; each input of a table once, as it was first taken.
   *
   * @param history oldest first
   * @throws RowmarkException CONFIG when the request names a batch that is not in the ledger, or
   *     nothing at all
   */
  static Map<String, List<LedgerEntry>> of(List<LedgerEntry> history, ReplayRequest request) {
    Map<String, List<LedgerEntry>> batches = new LinkedHashMap<>();
    history.forEach(
        entry -> batches.computeIfAbsent(entry.batchId(), id -> new ArrayList<>()).add(entry));
    Map<String, LedgerEntry> inputs = new LinkedHashMap<>();
    for (List<LedgerEntry> batch : chosen(batches, request.range()).values()) {
      for (LedgerEntry entry : batch) {
        if (request.table() == null || request.table().equals(entry.table())) {
          inputs.merge(entry.table() + '\0' + entry.input(), entry, LedgerRange::first);
        }
      }
    }
    if (inputs.isEmpty()) {
      throw RowmarkException.config(
          "The ledger has no input in this range. 'SELECT DISTINCT batch_id, recorded_at, input FROM"
              + " <ledger>' shows what it has.");
    }
    Map<String, List<LedgerEntry>> range = new LinkedHashMap<>();
    batches.keySet().forEach(id -> range.put(id, new ArrayList<>()));
    inputs.values().forEach(entry -> entriesOf(range, entry).add(entry));
    range.values().removeIf(List::isEmpty);
    return range;
  }

  private static List<LedgerEntry> entriesOf(
      Map<String, List<LedgerEntry>> range, LedgerEntry entry) {
    return range.computeIfAbsent(entry.batchId(), id -> new ArrayList<>());
  }

  private static LedgerEntry first(LedgerEntry one, LedgerEntry later) {
    return one.status() == Status.PASSED_OVER ? later : one;
  }

  private static Map<String, List<LedgerEntry>> chosen(
      Map<String, List<LedgerEntry>> batches, ReplayRequest.Range range) {
    Map<String, List<LedgerEntry>> chosen = new LinkedHashMap<>(batches);
    if (range instanceof Batches ids) {
      List<String> known = List.copyOf(batches.keySet());
      int from = ids.from() == null ? 0 : at(known, ids.from());
      int to = ids.to() == null ? known.size() - 1 : at(known, ids.to());
      chosen.keySet().retainAll(known.subList(Math.min(from, to + 1), to + 1));
    } else if (range instanceof Times times) {
      chosen.values().removeIf(batch -> !isWithin(batch.get(0).recordedAt(), times));
    } else if (range instanceof Inputs inputs) {
      PathMatcher glob = glob(inputs.glob());
      chosen.replaceAll(
          (id, batch) ->
              batch.stream().filter(entry -> glob.matches(Path.of(entry.input()))).toList());
    }
    return chosen;
  }

  private static int at(List<String> known, String id) {
    int at = known.indexOf(id);
    if (at < 0) {
      throw RowmarkException.config(
          "The ledger has no batch '%s'. 'SELECT DISTINCT batch_id, recorded_at FROM <ledger>' shows those it has."
              .formatted(id));
    }
    return at;
  }

  private static boolean isWithin(Instant recorded, Times times) {
    @Nullable Instant from = times.from();
    @Nullable Instant to = times.to();
    return (from == null || !recorded.isBefore(from)) && (to == null || recorded.isBefore(to));
  }

  private static PathMatcher glob(String text) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + text);
    } catch (IllegalArgumentException e) {
      throw RowmarkException.config(
          "--input '%s' is no pattern for file names: %s.".formatted(text, e.getMessage()));
    }
  }
}
