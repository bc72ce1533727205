package io.rowmark.merge.commit;

import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import java.util.List;
import java.util.function.Consumer;

/** A way to bring a staged batch into the tables. */
public sealed interface CommitProtocol permits AtomicCommit, OrderedCommit {
  /** Name for reports. */
  String label();

  /** Commits. Throws only where nothing was sent. */
  CommitOutcome commit(StagedBatch batch);

  /**
   * Commits changes of a data table and its index that no input stands for: nothing is recorded in
   * the ledger.
   *
   * @param mark that all snapshots of the changes have, see {@link
   *     io.rowmark.merge.stage.BatchMarker}
   * @param changes the data table's first: where they cannot be committed as one, an index that is
   *     behind is found and brought up to date, and one that is ahead lies
   * @param refused told of changes that the catalog refused and that never will be in place, so
   *     that their files can go
   */
  CommitOutcome commit(
      String mark, List<StagedChange> changes, Consumer<List<StagedChange>> refused);
}
