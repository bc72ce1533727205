package io.rowmark.merge.stage;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.plan.OpenIndex;
import io.rowmark.merge.plan.OpenTable;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.resolve.ResolvedTable.Truncation;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import io.rowmark.merge.write.WrittenTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Puts written files into the transactions that were begun before anything was written. Iceberg
 * validates against the transaction's base here; the catalog then refuses the commit if the table
 * has moved since.
 */
public final class BatchStager {
  private static final String MAIN = "main";

  private final String pipeline;
  private final TableIdentifier ledger;

  public BatchStager(String pipeline, TableIdentifier ledger) {
    this.pipeline = pipeline;
    this.ledger = ledger;
  }

  /** Stages all tables of a batch. Writes manifests; commits nothing. */
  public StagedBatch stage(SourceBatch batch, List<WrittenTable> tables) {
    List<StagedTable> staged = new ArrayList<>();
    List<LedgerEntry> entries = new ArrayList<>();
    Instant now = Instant.now();
    for (WrittenTable written : tables) {
      StagedTable table = stage(batch.id(), written);
      staged.add(table);
      entries.addAll(entries(batch.id(), table, now));
    }
    batch.aside().forEach(input -> entries.add(LedgerEntry.aside(batch.id(), input, now)));
    return new StagedBatch(batch.id(), staged, ledger, entries);
  }

  private StagedTable stage(String batchId, WrittenTable written) {
    ResolvedTable resolved = written.resolved();
    OpenTable table = resolved.table();
    boolean wiped = resolved.truncation() instanceof Truncation.Everything;
    Content content =
        new Content(
            written.dataFiles(),
            written.dataDeletes(),
            written.keyDeletes(),
            table.live(),
            wiped,
            Map.of());
    StagedChange data = change(batchId, table.name(), table.transaction(), table.base(), content);
    OpenIndex open = table.index();
    if (open == null) {
      return new StagedTable(written, data, null);
    }
    IndexCoverage coverage =
        IndexCoverage.of(
            table.table().uuid(),
            data.snapshotIdAfter(),
            table.requireKey().fingerprint(),
            resolved.truncatedAt());
    Content entries =
        new Content(
            written.indexFiles(),
            written.indexDeletes(),
            List.of(),
            open.live(),
            wiped,
            coverage.toSummary());
    boolean moved = data.snapshot() != null || !entries.isEmpty();
    StagedChange index =
        moved
            ? change(batchId, open.name(), open.transaction(), open.base(), entries)
            : new StagedChange(
                open.name(), (BaseTransaction) open.transaction(), open.base(), null);
    return new StagedTable(written, data, index);
  }

  /**
   * What a commit adds and removes.
   *
   * @param keyDeletes equality deletes. They reach every earlier file, whether it is still there or
   *     not; what they must not meet is a file that came since the base, which may hold the same
   *     key under another spec or, if the base was empty, needs a delete that was not written
   * @param wiped whether every live file goes
   * @param summary more properties of the snapshot; a snapshot is made for them alone, too
   */
  private record Content(
      List<DataFile> added,
      List<FileDeletes> deletes,
      List<DeleteFile> keyDeletes,
      LiveFiles live,
      boolean wiped,
      Map<String, String> summary) {
    boolean isEmpty() {
      return added.isEmpty()
          && deletes.isEmpty()
          && keyDeletes.isEmpty()
          && !(wiped && !live.isEmpty());
    }
  }

  private StagedChange change(
      String batchId,
      TableIdentifier name,
      Transaction transaction,
      @Nullable Snapshot base,
      Content content) {
    BaseTransaction own = (BaseTransaction) transaction;
    if (content.isEmpty() && content.summary().isEmpty()) {
      return new StagedChange(name, own, base, null);
    }
    RowDelta delta = transaction.newRowDelta();
    content.added().forEach(delta::addRows);
    content.keyDeletes().forEach(delta::addDeletes);
    if (content.wiped()) {
      content.live().all().forEach(live -> delta.removeRows(live.file()));
    }
    content.deletes().forEach(deletes -> check(name, deletes, content.live()));
    FileDeletes.put(delta, content.deletes(), content.live()::require);
    if (base != null) {
      delta.validateFromSnapshot(base.snapshotId());
    }
    delta.validateNoConflictingDeleteFiles();
    delta.validateNoConflictingDataFiles();
    delta.validateWith(new NoneOfBatch(batchId));
    BatchMarker.summary(pipeline, batchId).forEach(delta::set);
    content.summary().forEach(delta::set);
    delta.commit();
    return new StagedChange(
        name, own, base, SnapshotUtil.latestSnapshot(own.currentMetadata(), MAIN));
  }

  /** What Iceberg does not check: one deletion vector a file, and nothing replaced by halves. */
  private static void check(TableIdentifier name, FileDeletes deletes, LiveFiles live) {
    Set<String> replaced = new HashSet<>();
    deletes.replaced().forEach(file -> replaced.add(file.location() + "@" + file.contentOffset()));
    long vectors = deletes.added().stream().filter(ContentFileUtil::isDV).count();
    if (vectors == 0) {
      return;
    }
    for (DeleteFile old : live.require(deletes.dataFile()).positionalDeletes()) {
      boolean stays = !replaced.contains(old.location() + "@" + old.contentOffset());
      if (vectors > 1 || (ContentFileUtil.isDV(old) && stays)) {
        throw RowmarkException.internal(
            "Data file '%s' of table %s would get a second deletion vector"
                .formatted(deletes.dataFile(), name),
            null);
      }
    }
  }

  private static List<LedgerEntry> entries(String batchId, StagedTable table, Instant now) {
    NormalizedTable normalized = table.written().resolved().normalized();
    StagedChange index = table.index();
    List<LedgerEntry> entries = new ArrayList<>();
    List<InputFile> files = normalized.input().files();
    for (int rank = 0; rank < files.size(); rank++) {
      InputFile file = files.get(rank);
      entries.add(
          new LedgerEntry(
              batchId,
              normalized.input().spec().table(),
              file.name(),
              file.size(),
              file.modified(),
              normalized.eventsOf(rank),
              normalized.rejectsOf(rank),
              normalized.firstOrder(),
              normalized.lastOrder(),
              LedgerEntry.Status.DONE,
              table.data().snapshotIdAfter(),
              index == null ? null : index.snapshotIdAfter(),
              null,
              now,
              normalized.input().portions().get(rank).heldBack()));
    }
    return entries;
  }
}
