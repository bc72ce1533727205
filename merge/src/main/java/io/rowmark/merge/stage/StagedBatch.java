package io.rowmark.merge.stage;

import io.rowmark.merge.ledger.LedgerEntry;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * All changes of a batch.
 *
 * @param batchId marker in the summary of every snapshot of the batch
 * @param ledgerName the pipeline's ledger
 * @param entries ledger rows with status DONE, one for each input
 */
public record StagedBatch(
    String batchId,
    List<StagedTable> tables,
    TableIdentifier ledgerName,
    List<LedgerEntry> entries) {
  public StagedBatch {
    tables = List.copyOf(tables);
    entries = List.copyOf(entries);
  }

  /** The ledger rows of one data table. */
  public List<LedgerEntry> entriesOf(StagedTable table) {
    String name = table.written().resolved().table().spec().table();
    return entries.stream().filter(entry -> entry.table().equals(name)).toList();
  }
}
