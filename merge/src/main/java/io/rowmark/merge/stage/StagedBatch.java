package io.rowmark.merge.stage;

import io.rowmark.merge.ledger.LedgerEntry;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

  /** The ledger rows of inputs that change no table. */
  public List<LedgerEntry> entriesOfNone() {
    Set<String> names = tables.stream().map(StagedBatch::nameOf).collect(Collectors.toSet());
    return entries.stream().filter(entry -> !names.contains(entry.table())).toList();
  }

  private static String nameOf(StagedTable table) {
    return table.written().resolved().table().spec().table();
  }

  /** The ledger rows of one data table. */
  public List<LedgerEntry> entriesOf(StagedTable table) {
    String name = nameOf(table);
    return entries.stream().filter(entry -> entry.table().equals(name)).toList();
  }
}
