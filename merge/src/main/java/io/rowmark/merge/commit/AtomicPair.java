package io.rowmark.merge.commit;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.PairCommit;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.util.List;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.catalog.Catalog;

/**
 * A data table and its index in one multi-table REST commit. After a refusal the written files stay
 * for orphan removal: few are written, and a refusal that follows a lost answer proves nothing.
 */
record AtomicPair(AtomicCommit commit) implements PairCommit {

  @Override
  public Landed commit(Catalog catalog, Change data, Change index) {
    CommitOutcome outcome =
        commit.commit(data.name().toString(), List.of(change(data), change(index)), refused -> {});
    if (outcome instanceof CommitOutcome.Committed) {
      return Landed.BOTH;
    }
    if (outcome instanceof CommitOutcome.Refused refused) {
      throw failure(
          Category.CONFLICT,
          "Other writers changed table %s or its index meanwhile, and nothing was committed (%s). Run again."
              .formatted(data.name(), refused.reason()));
    }
    String reason =
        outcome instanceof CommitOutcome.Torn torn
            ? torn.reason()
            : ((CommitOutcome.Unknown) outcome).reason();
    throw failure(
        Category.UNKNOWN_COMMIT,
        "The commit of table %s and its index was sent, and whether it landed is not known (%s). Nothing was removed. Run again: it starts from what is in place."
            .formatted(data.name(), reason));
  }

  private static StagedChange change(Change change) {
    BaseTransaction staged = (BaseTransaction) change.staged();
    return new StagedChange(
        change.name(),
        staged,
        staged.startMetadata().currentSnapshot(),
        staged.currentMetadata().currentSnapshot());
  }

  private static RowmarkException failure(Category category, String message) {
    return new RowmarkException(category, RowmarkException.Retry.HELPS, message, null);
  }
}
