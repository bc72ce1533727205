package io.rowmark.merge.commit;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerEntry.Status;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.spec.IndexSpec;
import io.rowmark.merge.stage.BatchMarker;
import java.time.Instant;
import java.util.ArrayList;
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
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
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
    Map<String, List<LedgerEntry>> open = new LinkedHashMap<>();
    for (LedgerEntry intent : ledger.openIntents()) {
      open.computeIfAbsent(intent.batchId() + '\0' + intent.table(), slot -> new ArrayList<>())
          .add(intent);
    }
    open.values().forEach(this::end);
    return !open.isEmpty();
  }

  private void end(List<LedgerEntry> intents) {
    LedgerEntry first = intents.get(0);
    TableIdentifier name = TableIdentifier.parse(first.table());
    boolean landed =
        catalog.tableExists(name) && BatchMarker.isIn(catalog.loadTable(name), first.batchId());
    if (landed) {
      finishIndex(name, first);
    }
    Status status = landed ? Status.DONE : Status.ABANDONED;
    LOG.info(
        "Batch {} of table {} was cut off; its data {}",
        first.batchId(),
        name,
        landed ? "had landed, the rest was done now" : "had not landed, its inputs are new again");
    new LedgerWriter(catalog, ledgerName)
        .append(
            first.batchId(),
            intents.stream().map(intent -> intent.as(status, Instant.now())).toList());
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
    RowDelta delta = table.newRowDelta();
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
  }

  private @Nullable Long headOf(TableIdentifier data) {
    Snapshot head = catalog.loadTable(data).currentSnapshot();
    return head == null ? null : head.snapshotId();
  }
}
