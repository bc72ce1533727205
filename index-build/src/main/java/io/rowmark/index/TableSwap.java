package io.rowmark.index;

import java.util.Objects;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.RESTException;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.iceberg.util.Tasks;

/**
 * Commits a staged change of one table with a single compare-and-swap, and does not take a refusal
 * at its word: it may be the answer to a request that was repeated on its way after its first copy
 * had landed. Iceberg's own commit would then apply the change a second time, or remove the files
 * of the snapshot that is in place.
 */
public final class TableSwap {
  private static final int RETRIES = 4;
  private static final int FIRST_PAUSE_MILLIS = 100;
  private static final int LONGEST_PAUSE_MILLIS = 5_000;
  private static final int LONGEST_MILLIS = 60_000;
  private static final double GROWTH = 2;

  private TableSwap() {}

  /**
   * Commits what a transaction holds.
   *
   * @param staged with one snapshot on the branch; its files of metadata are left when refused
   * @param now loads the table as the catalog has it
   * @return the snapshot
   * @throws CommitFailedException when it was refused and is not in the table
   * @throws CommitStateUnknownException when the answer was lost and it is not in the table, where
   *     it may still come: nothing may be removed or repeated
   */
  public static Snapshot once(Transaction staged, Supplier<Table> now, String branch) {
    BaseTransaction change = (BaseTransaction) staged;
    Snapshot made =
        Objects.requireNonNull(SnapshotUtil.latestSnapshot(change.currentMetadata(), branch));
    try {
      change.underlyingOps().commit(change.startMetadata(), change.currentMetadata());
    } catch (CommitFailedException refusal) {
      if (!isIn(now.get(), branch, made)) {
        throw refusal;
      }
    } catch (CommitStateUnknownException lost) {
      requireLanded(now, branch, made, lost, lost);
    } catch (RESTException failure) {
      // a broken connection comes as just this class, an answer of the server as one of its own
      if (failure.getClass() != RESTException.class) {
        throw failure;
      }
      requireLanded(now, branch, made, failure, new CommitStateUnknownException(failure));
    }
    return made;
  }

  private static void requireLanded(
      Supplier<Table> now,
      String branch,
      Snapshot made,
      RuntimeException cause,
      CommitStateUnknownException unknown) {
    try {
      if (isIn(now.get(), branch, made)) {
        return;
      }
    } catch (RuntimeException e) {
      cause.addSuppressed(e);
    }
    throw unknown;
  }

  /** Puts a change into a transaction of the table as it is. */
  @FunctionalInterface
  public interface Staging {
    /**
     * @throws org.apache.iceberg.exceptions.ValidationException when it does not fit any more
     */
    void into(Transaction transaction);
  }

  /**
   * Stages and commits on the newest state of the table, again while others commit in between.
   *
   * @throws CommitFailedException when others forestalled it time and again
   */
  public static Snapshot onNewest(Supplier<Table> now, String branch, Staging staging) {
    Snapshot[] landed = new Snapshot[1];
    Tasks.foreach(landed)
        .retry(RETRIES)
        .exponentialBackoff(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS, LONGEST_MILLIS, GROWTH)
        .onlyRetryOn(CommitFailedException.class)
        .run(
            none -> {
              Transaction transaction = now.get().newTransaction();
              staging.into(transaction);
              landed[0] = once(transaction, now, branch);
            });
    return Objects.requireNonNull(landed[0]);
  }

  private static boolean isIn(Table table, String branch, Snapshot made) {
    Snapshot head = table.snapshot(branch);
    return head != null
        && SnapshotUtil.isAncestorOf(head.snapshotId(), made.snapshotId(), table::snapshot);
  }
}
