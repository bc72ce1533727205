package io.rowmark.merge.commit;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.index.TableSwap;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.stage.BatchMarker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends ordered commits that were cut off, before a new batch begins. The data table decides: if it
 * has the batch, the staged index change is carried out and the inputs are recorded as done; if
 * not, the intent is abandoned and the inputs are new again.
 */
public final class OrderedRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedRecovery.class);

  private final Catalog catalog;
  private final TableIdentifier ledgerName;
  private final IndexSpec index;

  public OrderedRecovery(Catalog catalog, TableIdentifier ledgerName, IndexSpec index) {
    this.catalog = catalog;
    this.ledgerName = ledgerName;
    this.index = index;
  }

  /**
   * @return whether anything was recorded, so that the ledger has to be read again
   */
  public boolean recover(Ledger ledger) {
    Collection<List<LedgerEntry>> open = byBatchAndTable(ledger.openIntents());
    open.forEach(this::end);
    boolean recorded = !open.isEmpty();
    for (List<LedgerEntry> abandoned : byBatchAndTable(ledger.abandoned())) {
      if (isIn(abandoned.get(0))) {
        record(abandoned, Status.DONE, "was given up, and landed after that");
        recorded = true;
      }
    }
    return recorded;
  }

  private static Collection<List<LedgerEntry>> byBatchAndTable(List<LedgerEntry> entries) {
    Map<String, List<LedgerEntry>> groups = new LinkedHashMap<>();
    for (LedgerEntry entry : entries) {
      groups
          .computeIfAbsent(entry.batchId() + '\0' + entry.table(), group -> new ArrayList<>())
          .add(entry);
    }
    return groups.values();
  }

  private boolean isIn(LedgerEntry entry) {
    TableIdentifier name = TableIdentifier.parse(entry.table());
    return catalog.tableExists(name) && BatchMarker.isIn(catalog.loadTable(name), entry.batchId());
  }

  private void end(List<LedgerEntry> intents) {
    LedgerEntry first = intents.get(0);
    boolean landed = isIn(first);
    if (landed) {
      finishIndex(TableIdentifier.parse(first.table()), first);
      record(intents, Status.DONE, "was cut off after its data had landed");
    } else {
      record(intents, Status.ABANDONED, "was cut off before its data landed");
    }
  }

  private void record(List<LedgerEntry> inputs, Status status, String what) {
    LedgerEntry first = inputs.get(0);
    LOG.info("Batch {} of table {} {}", first.batchId(), first.table(), what);
    new LedgerWriter(catalog, ledgerName)
        .append(
            first.batchId(),
            inputs.stream().map(input -> input.as(status, Instant.now())).toList());
  }

  /**
   * Carries out the staged index change if the index is still as it was then. Otherwise the index
   * is found stale when the table is opened, and brought up to date there.
   */
  private void finishIndex(TableIdentifier data, LedgerEntry intent) {
    String json = intent.stagedIndex();
    TableIdentifier name = TableIdentifier.of(data.namespace(), data.name() + index.suffix());
    if (json == null || !catalog.tableExists(name)) {
      return;
    }
    Snapshot staged = SnapshotParser.fromJson(json);
    Table table = catalog.loadTable(name);
    Snapshot head = table.currentSnapshot();
    Long headId = head == null ? null : head.snapshotId();
    boolean untouched = Objects.equals(headId, staged.parentId());
    boolean current =
        IndexCoverage.of(staged)
            .map(coverage -> Objects.equals(coverage.dataSnapshotId(), headOf(data)))
            .orElse(false);
    if (!untouched || !current) {
      return;
    }
    SnapshotChanges changes = SnapshotChanges.builderFor(table).snapshot(staged).build();
    Transaction transaction = table.newTransaction();
    RowDelta delta = transaction.newRowDelta();
    for (DataFile file : changes.addedDataFiles()) {
      delta.addRows(file);
    }
    for (DataFile file : changes.removedDataFiles()) {
      delta.removeRows(file);
    }
    for (DeleteFile file : changes.addedDeleteFiles()) {
      delta.addDeletes(file);
    }
    for (DeleteFile file : changes.removedDeleteFiles()) {
      delta.removeDeletes(file);
    }
    if (headId != null) {
      delta.validateFromSnapshot(headId);
    }
    IndexCoverage.of(staged).ifPresent(c -> c.toSummary().forEach(delta::set));
    BatchMarker.summary("recovered", intent.batchId()).forEach(delta::set);
    delta.commit();
    try {
      TableSwap.once(transaction, () -> catalog.loadTable(name), SnapshotRef.MAIN_BRANCH);
    } catch (CommitFailedException e) {
      LOG.warn("Index {} was changed by another writer: {}", name, e.getMessage());
    }
  }

  private @Nullable Long headOf(TableIdentifier data) {
    Snapshot head = catalog.loadTable(data).currentSnapshot();
    return head == null ? null : head.snapshotId();
  }
}
