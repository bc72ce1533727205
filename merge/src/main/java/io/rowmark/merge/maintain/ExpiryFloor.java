package io.rowmark.merge.maintain;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.index.IndexTables;
import io.rowmark.index.publish.ShownSnapshots;
import io.rowmark.merge.ledger.Ledger;
import io.rowmark.merge.ledger.LedgerEntry;
import io.rowmark.merge.ledger.LedgerWriter;
import io.rowmark.merge.source.SourceCursors;
import io.rowmark.merge.spec.PipelineSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * The snapshots that something still needs. From the oldest of them on, none expires, whatever its
 * age.
 */
final class ExpiryFloor {

  /**
   * A snapshot and what needs it.
   *
   * @param reason a noun, for people
   */
  record Needed(Snapshot snapshot, String reason) {}

  private final PipelineSpec pipeline;
  private final Catalog catalog;
  private final Optional<Ledger> ledger;

  /**
   * @param ledger empty when there is none yet
   */
  ExpiryFloor(PipelineSpec pipeline, Catalog catalog, Optional<Ledger> ledger) {
    this.pipeline = pipeline;
    this.catalog = catalog;
    this.ledger = ledger;
  }

  /** Of a data table. */
  List<Needed> ofData(TableIdentifier name, Table table) {
    List<Needed> needed = new ArrayList<>();
    TableIdentifier index =
        TableIdentifier.of(name.namespace(), name.name() + pipeline.index().suffix());
    if (IndexTables.exists(catalog, index)) {
      IndexTables.state(catalog.loadTable(index))
          .coverage()
          .map(IndexCoverage::dataSnapshotId)
          .ifPresent(id -> add(needed, table, id, "the index covers it"));
    }
    if (ledger.isPresent()) {
      for (LedgerEntry intent : ledger.get().openIntents()) {
        Long id = intent.dataSnapshot();
        if (intent.table().equals(name.toString()) && id != null) {
          add(needed, table, id, "batch %s is not ended".formatted(intent.batchId()));
        }
      }
      SourceCursors.of(pipeline, ledger.get(), name.toString())
          .forEach(
              (target, id) ->
                  add(needed, table, id, "table %s is read up to it".formatted(target)));
    }
    ShownSnapshots.of(table)
        .forEach((branch, id) -> add(needed, table, id, "branch %s shows it".formatted(branch)));
    return needed;
  }

  /**
   * Of an index: the snapshot that says what the index covers. Merged files may lie on top of it,
   * and their snapshots say nothing.
   */
  static List<Needed> ofIndex(Table index) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(index)) {
      if (IndexCoverage.of(snapshot).isPresent()) {
        return List.of(new Needed(snapshot, "it says what the index covers"));
      }
    }
    return List.of();
  }

  /** Of a ledger: the time of its newest entries is in the summary of their snapshot. */
  static List<Needed> ofLedger(Table ledger) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(ledger)) {
      if (LedgerWriter.isRecording(snapshot)) {
        return List.of(new Needed(snapshot, "it tells the time of the newest entries"));
      }
    }
    return List.of();
  }

  private static void add(List<Needed> needed, Table table, long id, String reason) {
    Snapshot snapshot = table.snapshot(id);
    if (snapshot != null) {
      needed.add(new Needed(Objects.requireNonNull(snapshot), reason));
    }
  }
}
