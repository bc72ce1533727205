package io.rowmark.merge.commit;

import io.rowmark.index.TableSwap;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits a change of a data table and the change of its index that follows from it: as one where
 * batches are, else the data first. A run that dies in between leaves an index that is behind,
 * which whoever needs it next reconciles.
 */
public final class PairCommit {
  private static final Logger LOG = LoggerFactory.getLogger(PairCommit.class);

  private final CommitProtocol protocol;
  private final Catalog catalog;
  private final StepListener listener;

  /**
   * @param listener told before the commit, and after each one of the ordered protocol
   */
  public PairCommit(CommitProtocol protocol, Catalog catalog, StepListener listener) {
    this.protocol = protocol;
    this.catalog = catalog;
    this.listener = listener;
  }

  /**
   * Commits both or, without an index, one.
   *
   * @return Committed also where the data is in place and the index has to be reconciled
   */
  public CommitOutcome commit(StagedChange data, @Nullable StagedChange index) {
    listener.reached(Checkpoint.BATCH_STAGED);
    if (index != null && protocol instanceof AtomicCommit atomic) {
      List<StagedChange> both = new ArrayList<>(List.of(data, index));
      return atomic.commit(data.name().toString(), both, refused -> {});
    }
    CommitOutcome outcome = swap(data);
    if (!(outcome instanceof CommitOutcome.Committed)) {
      return outcome;
    }
    listener.reached(Checkpoint.DATA_COMMITTED);
    if (index != null && swap(index) instanceof CommitOutcome.Refused refused) {
      LOG.warn("Index {} was changed by another writer: {}", index.name(), refused.reason());
    }
    listener.reached(Checkpoint.INDEX_COMMITTED);
    return outcome;
  }

  private CommitOutcome swap(StagedChange change) {
    try {
      TableSwap.once(
          change.transaction(), () -> catalog.loadTable(change.name()), SnapshotRef.MAIN_BRANCH);
      return new CommitOutcome.Committed();
    } catch (CommitFailedException | ValidationException e) {
      return new CommitOutcome.Refused(String.valueOf(e.getMessage()), List.of());
    } catch (RuntimeException e) {
      LOG.warn("The answer to the commit of {} was lost", change.name(), e);
      return new CommitOutcome.Unknown("%s: %s".formatted(change.name(), e.getMessage()));
    }
  }
}
