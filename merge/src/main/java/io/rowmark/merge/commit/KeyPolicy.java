package io.rowmark.merge.commit;

import io.rowmark.index.DuplicateKeys;
import io.rowmark.index.PairCommit;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import org.apache.iceberg.catalog.Catalog;

/** What becomes of repeated keys in a table, by its settings and what the catalog can commit. */
public final class KeyPolicy {
  private KeyPolicy() {}

  /**
   * @throws io.rowmark.formats.failure.RowmarkException CONFIG as {@link CommitProtocols#choose}
   */
  public static DuplicateKeys of(PipelineSpec pipeline, TableSpec table, Catalog catalog) {
    return switch (table.duplicateKeys()) {
      case FAIL -> DuplicateKeys.FAIL;
      case KEEP_NEWEST -> new DuplicateKeys.KeepNewest(commit(pipeline, catalog));
    };
  }

  private static PairCommit commit(PipelineSpec pipeline, Catalog catalog) {
    CommitProtocol protocol =
        CommitProtocols.choose(
                pipeline.commit(), pipeline.capabilities().catalog(), catalog, StepListener.SILENT)
            .protocol();
    return protocol instanceof AtomicCommit atomic ? new AtomicPair(atomic) : PairCommit.ORDERED;
  }
}
