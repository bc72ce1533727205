package io.rowmark.merge.commit;

import io.rowmark.merge.StepListener;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.stage.BatchMarker;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.stage.StagedTable;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For catalogs without an atomic multi-table commit: table by table, each as ledger intent, data
 * table, index table, ledger done. The index never goes first: it would then promise rows that are
 * not there. Every point at which this can be cut off is mended by {@link OrderedRecovery} before
 * the next batch, from what the data table says.
 */
public final class OrderedCommit implements CommitProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedCommit.class);

  private final Catalog catalog;
  private final StepListener listener;

  public OrderedCommit(Catalog catalog, StepListener listener) {
    this.catalog = catalog;
    this.listener = listener;
  }

  @Override
  public String label() {
    return "ordered";
  }

  @Override
  public CommitOutcome commit(StagedBatch batch) {
    LedgerWriter ledger = new LedgerWriter(catalog, batch.ledgerName());
    List<StagedTable> tables = batch.tables();
    for (int i = 0; i < tables.size(); i++) {
      CommitOutcome outcome = commit(batch, tables.get(i), ledger);
      if (outcome instanceof CommitOutcome.Refused refused) {
        return new CommitOutcome.Refused(refused.reason(), tables.subList(i, tables.size()));
      } else if (!(outcome instanceof CommitOutcome.Committed)) {
        return outcome;
      }
    }
    ledger.append(batch.batchId(), batch.entriesOfNone());
    listener.reached(Checkpoint.BATCH_COMMITTED);
    return new CommitOutcome.Committed();
  }

  @Override
  public CommitOutcome commit(
      String mark, List<StagedChange> changes, Consumer<List<StagedChange>> refused) {
    for (int i = 0; i < changes.size(); i++) {
      CommitOutcome outcome = swap(mark, changes.get(i));
      if (outcome instanceof CommitOutcome.Refused) {
        refused.accept(changes.subList(i, changes.size()));
      }
      if (!(outcome instanceof CommitOutcome.Committed)) {
        return outcome;
      }
      listener.reached(i == 0 ? Checkpoint.DATA_COMMITTED : Checkpoint.INDEX_COMMITTED);
    }
    listener.reached(Checkpoint.BATCH_COMMITTED);
    return new CommitOutcome.Committed();
  }

  private CommitOutcome commit(StagedBatch batch, StagedTable table, LedgerWriter ledger) {
    List<LedgerEntry> done = batch.entriesOf(table);
    if (table.data().changes()) {
      String staged = stagedIndex(table.index());
      ledger.append(batch.batchId(), done.stream().map(entry -> intent(entry, staged)).toList());
      listener.reached(Checkpoint.INTENT_RECORDED);
      CommitOutcome outcome = swap(batch.batchId(), table.data());
      if (!(outcome instanceof CommitOutcome.Committed)) {
        return outcome;
      }
    }
    listener.reached(Checkpoint.DATA_COMMITTED);
    StagedChange index = table.index();
    if (index != null && index.changes()) {
      CommitOutcome outcome = swap(batch.batchId(), index);
      if (outcome instanceof CommitOutcome.Refused refused) {
        // the rows are in; the next batch finds the index behind and brings it up to date
        LOG.warn("Index {} was changed by another writer: {}", index.name(), refused.reason());
      } else if (!(outcome instanceof CommitOutcome.Committed)) {
        return outcome;
      }
    }
    listener.reached(Checkpoint.INDEX_COMMITTED);
    ledger.append(batch.batchId(), done);
    return new CommitOutcome.Committed();
  }

  private static @Nullable String stagedIndex(@Nullable StagedChange index) {
    Snapshot snapshot = index == null ? null : index.snapshot();
    return snapshot == null ? null : SnapshotParser.toJson(snapshot);
  }

  private static LedgerEntry intent(LedgerEntry entry, @Nullable String stagedIndex) {
    return new LedgerEntry(
        entry.batchId(),
        entry.table(),
        entry.input(),
        entry.inputSize(),
        entry.inputModified(),
        entry.events(),
        entry.rejects(),
        entry.firstOrder(),
        entry.lastOrder(),
        LedgerEntry.Status.INTENT,
        entry.dataSnapshot(),
        entry.indexSnapshot(),
        stagedIndex,
        Instant.now(),
        entry.heldBack());
  }

  /**
   * One compare-and-swap from the base that the batch was made for. Iceberg's own transaction would
   * refresh and apply the change to a newer base, which the index knows nothing of.
   */
  private CommitOutcome swap(String batchId, StagedChange change) {
    TableOperations operations = change.transaction().underlyingOps();
    TableMetadata base = change.transaction().startMetadata();
    try {
      operations.commit(base, change.transaction().currentMetadata());
      return new CommitOutcome.Committed();
    } catch (CommitFailedException | ValidationException e) {
      return isIn(batchId, change)
          ? new CommitOutcome.Committed()
          : new CommitOutcome.Refused(String.valueOf(e.getMessage()), List.of());
    } catch (RuntimeException e) {
      LOG.warn("Batch {}: the answer for table {} was lost", batchId, change.name(), e);
      return lostAnswer(batchId, change, e);
    }
  }

  private CommitOutcome lostAnswer(String batchId, StagedChange change, RuntimeException cause) {
    String reason = "%s: %s".formatted(change.name(), cause.getMessage());
    try {
      return isIn(batchId, change)
          ? new CommitOutcome.Committed()
          : new CommitOutcome.Unknown(reason);
    } catch (RuntimeException e) {
      return new CommitOutcome.Unknown(reason + "; and then: " + e.getMessage());
    }
  }

  private boolean isIn(String batchId, StagedChange change) {
    Table now = catalog.loadTable(change.name());
    return change.snapshot() != null && BatchMarker.isIn(now, batchId);
  }
}
