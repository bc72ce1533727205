package io.rowmark.merge.ledger;

import io.rowmark.merge.stage.BatchMarker;
import java.util.List;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Appends to a ledger by itself, as the ordered protocol does. Ledgers are append-only, so Iceberg
 * may retry such a commit on a newer base.
 */
public final class LedgerWriter {
  private final Catalog catalog;
  private final TableIdentifier name;

  public LedgerWriter(Catalog catalog, TableIdentifier name) {
    this.catalog = catalog;
    this.name = name;
  }

  /** Commits entries; nothing is done for an empty list. */
  public void append(String batchId, List<LedgerEntry> entries) {
    if (entries.isEmpty()) {
      return;
    }
    Table ledger = catalog.loadTable(name);
    AppendFiles append = ledger.newAppend();
    append.appendFile(Ledger.write(ledger, entries));
    BatchMarker.summary("ledger", batchId).forEach(append::set);
    append.commit();
  }
}
