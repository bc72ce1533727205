package io.rowmark.merge.spec;

import java.util.List;

/**
 * One pipeline: where changes come from, which tables they go to, and how they are committed.
 *
 * @param name identifies the pipeline in its ledger and in snapshot summaries
 * @param ledgerTable the table that records which inputs went in, as {@code namespace.table}
 */
public record PipelineSpec(
    String name,
    CatalogSpec catalog,
    SourceSpec source,
    List<TableSpec> tables,
    String ledgerTable,
    IndexSpec index,
    BatchSpec batch,
    CommitSpec commit,
    RejectSpec rejects,
    CapabilitySpec capabilities) {
  public PipelineSpec {
    tables = List.copyOf(tables);
  }
}
