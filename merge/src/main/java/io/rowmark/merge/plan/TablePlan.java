package io.rowmark.merge.plan;

import io.rowmark.formats.delete.Conflict;
import io.rowmark.formats.delete.DeleteDecision;
import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.delete.Remedy;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.plan.PlanStep.Consent;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * How one table is written, and what has to happen first.
 *
 * @param table as loaded; null when it does not exist yet
 * @param decision null exactly for append-only tables, which delete nothing
 * @param contract what the table promises from the next batch on; null without a decision that fits
 * @param steps in the order in which they are taken
 */
public record TablePlan(
    TableSpec spec,
    @Nullable Table table,
    @Nullable DeleteDecision decision,
    @Nullable ReaderContract contract,
    int formatVersion,
    List<PlanStep> steps) {
  public TablePlan {
    steps = List.copyOf(steps);
  }

  /** The format of new deletes; null for append-only tables. */
  public @Nullable DeleteFormat format() {
    return contract == null ? null : contract.format();
  }

  /** Whether deletes in the table must be replaced. */
  public boolean convertsDeletes() {
    return steps.stream().anyMatch(PlanStep.ConvertDeletes.class::isInstance);
  }

  /** Steps that only a user may ask for. */
  public List<PlanStep> withConsent() {
    return steps.stream().filter(step -> step.consent() == Consent.NEEDED).toList();
  }

  /**
   * This plan, if a batch may follow it.
   *
   * @throws RowmarkException CONFIG when no delete format suits everyone, or the declaration
   *     differs from what the table promises; TABLE_STATE when steps need the user's consent
   */
  public TablePlan ready() {
    requireFormat();
    List<PlanStep> pending = withConsent();
    if (!pending.isEmpty()) {
      String steps = pending.stream().map(PlanStep::text).collect(Collectors.joining("; "));
      String message =
          "Table %s cannot be written as declared until this is done: %s. Nothing was changed. 'rowmark plan' shows it in full, and 'rowmark plan --apply' does it."
              .formatted(spec.table(), steps);
      throw pending.stream().anyMatch(PlanStep.ChangeContract.class::isInstance)
          ? RowmarkException.config(message)
          : RowmarkException.tableState(message);
    }
    return this;
  }

  /**
   * @throws RowmarkException CONFIG when no delete format suits everyone
   */
  public void requireFormat() {
    if (decision instanceof DeleteDecision.NoneFits none) {
      throw RowmarkException.config(noneFits(none));
    }
    if (format() == DeleteFormat.EQUALITY && spec.kept().needsLookup()) {
      throw RowmarkException.config(
          "Table %s keeps rows that it has to find first, and equality deletes look nothing up. Set delete-format to position or deletion-vector%s."
              .formatted(
                  spec.table(),
                  spec.mode() == TableSpec.Mode.HISTORY
                      ? ""
                      : ", or soft-delete.images to whole if delete events hold the whole row"));
    }
  }

  private String noneFits(DeleteDecision.NoneFits none) {
    String conflicts =
        none.conflicts().stream().map(Conflict::text).collect(Collectors.joining(" | "));
    String remedies =
        none.remedies().stream().map(Remedy::text).collect(Collectors.joining("; or "));
    return "No delete format suits all readers of table %s. Conflict: %s.%s"
        .formatted(
            spec.table(),
            conflicts,
            remedies.isEmpty() ? "" : " What would resolve it: " + remedies + ".");
  }
}
