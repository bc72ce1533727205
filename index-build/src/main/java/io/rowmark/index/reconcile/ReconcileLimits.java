package io.rowmark.index.reconcile;

/**
 * How much of a reconcile is committed at once. A run that is cut off is gone on with behind its
 * last commit.
 *
 * @param rowsPerCommit rows, dead ones included, of the data files that one commit reads; one file
 *     is read in any case
 */
public record ReconcileLimits(long rowsPerCommit) {
  /** Minutes of work on a small cluster; most reconciles take one commit. */
  public static final ReconcileLimits DEFAULT = new ReconcileLimits(50_000_000);

  public ReconcileLimits {
    if (rowsPerCommit < 1) {
      throw new IllegalArgumentException("A commit reads at least one row");
    }
  }
}
