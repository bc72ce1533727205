package io.rowmark.merge.replay;

import io.rowmark.formats.change.SourceOrder;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.plan.TablePlan;
import io.rowmark.merge.replay.ReplayPlan.Kept;
import io.rowmark.merge.replay.ReplayPlan.Refusal;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether bringing inputs again ends in the rows that the table should have. */
final class ReplayRules {
  private final PipelineSpec pipeline;
  private final TablePlan plan;
  private final TableMemory memory;

  ReplayRules(PipelineSpec pipeline, TablePlan plan, TableMemory memory) {
    this.pipeline = pipeline;
    this.plan = plan;
    this.memory = memory;
  }

  /**
   * Why a table must not get inputs again.
   *
   * @param chosen its entries in the range
   * @param all its entries, oldest first
   */
  List<Refusal> refusals(List<LedgerEntry> chosen, List<LedgerEntry> all) {
    List<Refusal> refusals = new ArrayList<>();
    divided(chosen, all).ifPresent(refusals::add);
    if (plan.spec().mode() == TableSpec.Mode.HISTORY) {
      refusals.add(
          new Refusal(
              Category.CONFIG,
              "Table %s is a history, of which a replay would add versions that it has. Feed an empty table under another name of pipeline and ledger."
                  .formatted(table())));
      return refusals;
    }
    if (plan.spec().mode() == TableSpec.Mode.APPEND_ONLY) {
      twice(chosen).ifPresent(refusals::add);
      return refusals;
    }
    if (!isOrdered(all)) {
      incomplete(chosen, all).ifPresent(refusals::add);
    }
    overtaken(chosen).ifPresent(refusals::add);
    return refusals;
  }

  /** A replay takes inputs whole, and what waits of one is not to be seen yet. */
  private Optional<Refusal> divided(List<LedgerEntry> chosen, List<LedgerEntry> all) {
    Set<String> inputs = chosen.stream().map(LedgerEntry::input).collect(Collectors.toSet());
    Map<String, LedgerEntry> last = new LinkedHashMap<>();
    all.stream()
        .filter(entry -> entry.status() == Status.DONE && inputs.contains(entry.input()))
        .forEach(entry -> last.put(entry.input(), entry));
    for (LedgerEntry entry : last.values()) {
      if (!entry.heldBack().isEmpty()) {
        return refusal(
            "Input '%s' went into table %s in part, as some of its source transactions are not complete. Run 'rowmark ingest' until they are, then replay."
                .formatted(entry.input(), table()));
      }
    }
    return Optional.empty();
  }

  /** Rows without a key cannot be told from those that are there. */
  private Optional<Refusal> twice(List<LedgerEntry> chosen) {
    for (LedgerEntry entry : chosen) {
      Kept kept = memory.of(entry.input());
      if (kept == Kept.YES || kept == Kept.UNKNOWN) {
        return refusal(
            "Table %s is append-only, and %s the rows of input '%s' (batch %s): a replay would write them twice. Choose a range that the table lost, or set it back first."
                .formatted(
                    table(),
                    kept == Kept.YES ? "has" : "may have, as its older snapshots were expired,",
                    entry.input(),
                    entry.batchId()));
      }
    }
    return Optional.empty();
  }

  private boolean isOrdered(List<LedgerEntry> all) {
    return plan.format() != DeleteFormat.EQUALITY
        && pipeline.index().order() == IndexSpec.Order.KEPT
        && pipeline.source().envelope().order().scope() == SourceOrder.Scope.SOURCE
        && all.stream().allMatch(entry -> entry.events() == 0 || entry.lastOrder() != null);
  }

  /** Without orders the last batch wins, so the last must come last again. */
  private Optional<Refusal> incomplete(List<LedgerEntry> chosen, List<LedgerEntry> all) {
    Instant first = chosen.get(0).recordedAt();
    Set<String> inputs = chosen.stream().map(LedgerEntry::input).collect(Collectors.toSet());
    for (LedgerEntry entry : all) {
      boolean later = entry.status() == Status.DONE && !entry.recordedAt().isBefore(first);
      if (later && !inputs.contains(entry.input())) {
        return refusal(
            "Table %s keeps no order of changes, so the batch that comes last wins, and the range leaves out input '%s' of batch %s, which came later. Choose a range that reaches to the newest batch."
                .formatted(table(), entry.input(), entry.batchId()));
      }
    }
    return Optional.empty();
  }

  /**
   * An index remembers the changes that its table lost until it is set back; with later changes in
   * it that cannot be done.
   */
  private Optional<Refusal> overtaken(List<LedgerEntry> chosen) {
    Optional<LedgerEntry> newest = memory.newestKept();
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    for (LedgerEntry entry : chosen) {
      Instant origin = memory.origin(entry.input());
      if (origin != null
          && origin.isBefore(newest.get().recordedAt())
          && memory.of(entry.input()) == Kept.LOST) {
        return refusal(
            "Table %s lost batch %s and took batch %s after that. Set it back to before that batch as well, and replay both."
                .formatted(table(), entry.batchId(), newest.get().batchId()));
      }
    }
    return Optional.empty();
  }

  private String table() {
    return plan.spec().table();
  }

  private static Optional<Refusal> refusal(String text) {
    return Optional.of(new Refusal(Category.TABLE_STATE, text));
  }
}
