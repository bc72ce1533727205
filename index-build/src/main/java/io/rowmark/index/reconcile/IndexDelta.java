package io.rowmark.index.reconcile;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.PairCommit;
import io.rowmark.index.TableSwap;
import io.rowmark.index.duplicates.Removal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;

/** One commit that changes some entries of an index. */
public final class IndexDelta {
  private final IndexedTable names;
  private final Table index;
  private final Transaction transaction;
  private final Snapshot base;
  private final LiveFiles live;

  private IndexDelta(IndexedTable names, Table index, Transaction transaction, Snapshot base) {
    this.names = names;
    this.index = index;
    this.transaction = transaction;
    this.base = base;
    this.live = LiveFiles.at(index, base);
  }

  /**
   * Begins the commit before anything is read.
   *
   * @param index with a current snapshot
   * @throws RowmarkException CONFLICT when the index has changed since it was loaded
   */
  public static IndexDelta begin(IndexedTable names, Table index, Table data, KeySpec key) {
    Snapshot judged = Objects.requireNonNull(index.currentSnapshot());
    Transaction transaction = index.newTransaction();
    Snapshot base = transaction.table().currentSnapshot();
    if (base == null || base.snapshotId() != judged.snapshotId()) {
      throw conflict(names, null);
    }
    int version = Math.max(TableUtil.formatVersion(index), TableUtil.formatVersion(data));
    IndexTables.follow(transaction, version, key);
    return new IndexDelta(names, index, transaction, base);
  }

  static RowmarkException conflict(IndexedTable names, @Nullable Exception cause) {
    return new RowmarkException(
        Category.CONFLICT,
        Retry.HELPS,
        "Another writer changed the index %s while it was reconciled, so nothing was committed. Run 'rowmark index reconcile' again when no batch is running."
            .formatted(names.index()),
        cause);
  }

  /** The index as it is. */
  public Table index() {
    return index;
  }

  /** The index as it will be: what its new files are to be written for. */
  public Table table() {
    return transaction.table();
  }

  Transaction transaction() {
    return transaction;
  }

  /** The entries to start from. */
  public Snapshot base() {
    return base;
  }

  /** Index files at the base. */
  public LiveFiles live() {
    return live;
  }

  /**
   * Commits.
   *
   * @param run files of new entries
   * @param deletes that hide old entries
   * @param summary what the index claims then
   * @return the index's new snapshot
   * @throws RowmarkException CONFLICT when another writer changed the index meanwhile: then nothing
   *     was committed and the new files are gone. UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public long commit(List<DataFile> run, List<FileDeletes> deletes, Map<String, String> summary) {
    try {
      stage(run, deletes, summary);
      return TableSwap.once(
              transaction, () -> names.catalog().loadTable(names.index()), SnapshotRef.MAIN_BRANCH)
          .snapshotId();
    } catch (ValidationException | CommitFailedException e) {
      discard(run, deletes);
      throw conflict(names, e);
    } catch (RuntimeException e) {
      throw unknown(names, e);
    }
  }

  /**
   * Commits together with deletes of rows of the data table.
   *
   * @return the index's new snapshot
   * @throws RowmarkException as {@link #commit}; after a CONFLICT the deletes may be in place, and
   *     the index is behind
   */
  public long commitWith(
      Removal removal, PairCommit together, Written written, Map<String, String> summary) {
    List<DataFile> run = written.merged().files();
    PairCommit.Landed landed;
    try {
      stage(run, written.deletes(), summary);
      landed =
          together.commit(
              names.catalog(),
              new PairCommit.Change(names.data(), removal.transaction()),
              new PairCommit.Change(names.index(), transaction));
    } catch (ValidationException | CommitFailedException e) {
      discard(run, written.deletes());
      removal.discard();
      throw conflict(names, e);
    } catch (RowmarkException e) {
      throw e;
    } catch (RuntimeException e) {
      throw unknown(names, e);
    }
    if (landed == PairCommit.Landed.DATA_ONLY) {
      discard(run, written.deletes());
      throw conflict(names, null);
    }
    return Objects.requireNonNull(transaction.table().currentSnapshot()).snapshotId();
  }

  private static RowmarkException unknown(IndexedTable names, Exception cause) {
    return new RowmarkException(
        Category.UNKNOWN_COMMIT,
        Retry.HELPS,
        "The catalog gave no clear answer to the commit of the index %s: it may or may not be in place. Nothing was removed. Run 'rowmark index reconcile' again: it starts from what is in place."
            .formatted(names.index()),
        cause);
  }

  /** Puts the change into the transaction, and commits nothing. */
  void stage(List<DataFile> run, List<FileDeletes> deletes, Map<String, String> summary) {
    RowDelta delta = transaction.newRowDelta();
    run.forEach(delta::addRows);
    FileDeletes.put(delta, deletes, live::require);
    delta.validateFromSnapshot(base.snapshotId());
    delta.validateNoConflictingDeleteFiles();
    delta.validateNoConflictingDataFiles();
    summary.forEach(delta::set);
    delta.commit();
  }

  /** Removes written files that no commit names. */
  public void discard(List<DataFile> run, List<FileDeletes> deletes) {
    run.forEach(file -> table().io().deleteFile(file.location()));
    for (FileDeletes change : deletes) {
      for (DeleteFile file : change.added()) {
        table().io().deleteFile(file.location());
      }
    }
  }
}
