package io.rowmark.merge.ledger;

import io.rowmark.index.TableSwap;
import io.rowmark.merge.stage.BatchMarker;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Appends to a ledger by itself, as the ordered protocol does. What is refused is appended again to
 * the newest state, once it is certain that it was not refused for having landed before.
 */
public final class LedgerWriter {
  private static final String RECORDED_AT = "rowmark.recorded-at";

  private final Catalog catalog;
  private final TableIdentifier name;

  public LedgerWriter(Catalog catalog, TableIdentifier name) {
    this.catalog = catalog;
    this.name = name;
  }

  /**
   * Commits entries; nothing is done for an empty list. They are recorded later than everything
   * before them, whatever the clocks of the machines say that took turns in writing: which status
   * of an input is its last must not depend on clocks.
   */
  public void append(String batchId, List<LedgerEntry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    TableSwap.onNewest(
        () -> catalog.loadTable(name),
        SnapshotRef.MAIN_BRANCH,
        transaction -> stage(transaction, batchId, entries));
  }

  private static void stage(Transaction transaction, String batchId, List<LedgerEntry> entries) {
    Table ledger = transaction.table();
    Instant time = afterAllOf(ledger);
    List<LedgerEntry> recorded =
        entries.stream().map(entry -> entry.as(entry.status(), time)).toList();
    AppendFiles append = transaction.newAppend();
    append.appendFile(Ledger.write(ledger, recorded));
    summary(batchId, time).forEach(append::set);
    append.commit();
  }

  /** Summary properties of a ledger's snapshot. */
  public static Map<String, String> summary(String batchId, Instant recordedAt) {
    Map<String, String> summary = new HashMap<>(BatchMarker.summary("ledger", batchId));
    summary.put(RECORDED_AT, recordedAt.toString());
    return summary;
  }

  /** Whether a snapshot of a ledger brought entries; a merge of its files does not. */
  public static boolean isRecording(Snapshot snapshot) {
    return snapshot.summary().containsKey(RECORDED_AT);
  }

  /** Now, or later if the ledger has entries that are recorded later, by another clock. */
  public static Instant afterAllOf(Table ledger) {
    Instant time = Instant.now().truncatedTo(ChronoUnit.MICROS);
    for (Snapshot snapshot : ledger.snapshots()) {
      String text = snapshot.summary().get(RECORDED_AT);
      Instant before =
          text == null ? Instant.ofEpochMilli(snapshot.timestampMillis()) : Instant.parse(text);
      if (!before.isBefore(time)) {
        time = before.plus(1, ChronoUnit.MICROS);
      }
    }
    return time;
  }
}
