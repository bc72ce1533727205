package io.rowmark.merge.maintain;

import java.util.List;

/**
 * How a table is, and what is to be done to it.
 *
 * @param table the data table, or the ledger
 * @param loads of the table and its index
 * @param steps in their order
 * @param expiries of the table and its index
 * @param notes what is left as it is, and why, for people
 */
public record MaintainOutlook(
    String table,
    int formatVersion,
    List<TableLoad> loads,
    List<PlannedStep> steps,
    List<ExpiryPlan> expiries,
    List<String> notes) {
  public MaintainOutlook {
    loads = List.copyOf(loads);
    steps = List.copyOf(steps);
    expiries = List.copyOf(expiries);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is left to do; what has to wait for its age does not count. */
  public boolean isEmpty() {
    return steps.isEmpty() && expiries.stream().allMatch(plan -> plan.expired() == 0);
  }
}
