package io.rowmark.merge.maintain;

import io.rowmark.merge.StepListener;

/** Told how maintenance goes on. */
public interface MaintainListener {
  /** A table is begun. */
  void begins(MaintainOutlook outlook);

  /** A commit is done. */
  void committed(StepReport step);

  /** Snapshots of a table were expired, or were to stay. */
  void expired(ExpiryReport expiry);

  /** Files that no snapshot names were looked for. */
  void listed(OrphanReport orphans);

  /** Called on the driver between steps of a commit; may not come back in crash tests. */
  void reached(StepListener.Checkpoint checkpoint);
}
