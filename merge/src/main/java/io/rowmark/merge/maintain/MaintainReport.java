package io.rowmark.merge.maintain;

import java.util.List;

/**
 * What a run did to a table.
 *
 * @param before how it was, and what was to be done
 * @param after how it is: what was predicted can be compared with it
 * @param steps commits of it, its index or the ledger
 * @param notes for people
 */
public record MaintainReport(
    MaintainOutlook before,
    MaintainOutlook after,
    List<StepReport> steps,
    List<ExpiryReport> expiries,
    List<OrphanReport> orphans,
    List<String> notes,
    long millis) {
  public MaintainReport {
    steps = List.copyOf(steps);
    expiries = List.copyOf(expiries);
    orphans = List.copyOf(orphans);
    notes = List.copyOf(notes);
  }
}
