package io.rowmark.merge.commit;

import io.rowmark.merge.stage.StagedBatch;

/** A way to bring a staged batch into the tables. */
public sealed interface CommitProtocol permits AtomicCommit, OrderedCommit {
  /** Name for reports. */
  String label();

  /** Commits. Throws only where nothing was sent. */
  CommitOutcome commit(StagedBatch batch);
}
