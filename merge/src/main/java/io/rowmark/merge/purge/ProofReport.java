package io.rowmark.merge.purge;

import io.rowmark.index.purge.KeyHolder;
import io.rowmark.index.purge.TableProof;
import java.util.List;

/**
 * Whether any file of a table and its index, live or kept for an older snapshot, holds a key.
 *
 * @param keys different keys that were asked for
 * @param tables data table, then index
 * @param elsewhere places that were not looked into
 */
public record ProofReport(
    String table, int keys, List<TableProof> tables, List<String> elsewhere, long millis) {
  public ProofReport {
    tables = List.copyOf(tables);
    elsewhere = List.copyOf(elsewhere);
  }

  public boolean isProven() {
    return tables.stream().allMatch(TableProof::isClean);
  }

  /** Files that hold a key. */
  public List<KeyHolder> holders() {
    return tables.stream().flatMap(table -> table.holders().stream()).toList();
  }
}
