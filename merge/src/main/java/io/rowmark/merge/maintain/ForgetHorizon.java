package io.rowmark.merge.maintain;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * Up to which change an index may forget deletions. Entries tell the order of a deletion and not
 * its time; the ledger tells both of the inputs that went in.
 */
final class ForgetHorizon {
  private ForgetHorizon() {}

  /**
   * The highest order of the inputs that went into a table before a time: a change that is older
   * than it would come late by more than the retention.
   */
  static Optional<byte[]> of(Ledger ledger, String table, Instant before) {
    return ledger.history().stream()
        .filter(entry -> entry.table().equals(table) && entry.status() == LedgerEntry.Status.DONE)
        .filter(entry -> entry.recordedAt().isBefore(before))
        .flatMap(entry -> Optional.ofNullable(entry.lastOrder()).stream())
        .max(ChangeOrder.COMPARATOR);
  }
}
