package io.rowmark.index.duplicates;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.TableSwap;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.write.RefusedDeletes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletes of older rows, staged on their table and not committed.
 *
 * @param transaction of the data table, with one snapshot
 * @param removed what it deletes
 * @param added delete files written for it
 */
public record Removal(Transaction transaction, Duplicates removed, List<DeleteFile> added) {
  private static final Logger LOG = LoggerFactory.getLogger(Removal.class);
  private static final String MARK = "rowmark.duplicate-rows-removed";

  public Removal {
    added = List.copyOf(added);
  }

  /**
   * Finds the older rows in some data files and stages their deletes.
   *
   * @param data as it is in the catalog
   * @param live files of its current snapshot
   * @param clashing numbers of the files that hold rows of repeated keys
   * @return empty if no key has two rows there
   * @throws RowmarkException CONFLICT when another writer has changed these files since
   */
  public static Optional<Removal> stage(
      SparkSession spark,
      IndexedTable names,
      Table data,
      KeySpec key,
      LiveFiles live,
      Set<Integer> clashing) {
    FileNumbers numbers = FileNumbers.of(live);
    List<LiveFile> files =
        clashing.stream().sorted().map(numbers::path).map(live::require).toList();
    try (OlderRows older = OlderRows.in(spark, data, key, live, files)) {
      Duplicates found = older.summary();
      if (found.isEmpty()) {
        return Optional.empty();
      }
      List<FileDeletes> deletes = older.writeDeletes(live);
      List<DeleteFile> added = new ArrayList<>();
      deletes.forEach(change -> added.addAll(change.added()));
      try {
        return Optional.of(new Removal(staged(data, live, deletes, found), found, added));
      } catch (RuntimeException e) {
        RefusedDeletes.remove(data.io(), added);
        throw e instanceof ValidationException ? conflict(names, e) : e;
      }
    }
  }

  private static Transaction staged(
      Table data, LiveFiles live, List<FileDeletes> deletes, Duplicates found) {
    Snapshot base = Objects.requireNonNull(data.currentSnapshot());
    Transaction transaction = data.newTransaction();
    RowDelta delta = transaction.newRowDelta();
    FileDeletes.put(delta, deletes, live::require);
    delta.validateFromSnapshot(base.snapshotId());
    delta.validateNoConflictingDeleteFiles();
    delta.set(MARK, Long.toString(found.rows()));
    delta.commit();
    return transaction;
  }

  /** The table as it will be; a transaction's own view of it plans no scans. */
  public Table table() {
    Table staged = transaction.table();
    return new BaseTable(((HasTableOperations) staged).operations(), staged.name());
  }

  /**
   * Commits it alone. The index is behind then.
   *
   * @return what was deleted
   * @throws RowmarkException CONFLICT when another writer changed the table meanwhile,
   *     UNKNOWN_COMMIT when the catalog's answer was lost
   */
  public Duplicates commit(IndexedTable names) {
    try {
      TableSwap.once(transaction, names::loadData, SnapshotRef.MAIN_BRANCH);
      LOG.info("Deleted from {}: {}", names.data(), removed.text());
      return removed;
    } catch (CommitFailedException e) {
      discard();
      throw conflict(names, e);
    } catch (RuntimeException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          Retry.HELPS,
          "The catalog gave no clear answer to the commit of table %s, which deletes older rows of repeated keys: it may or may not be in place. Nothing was removed. Run again: it starts from what is in place."
              .formatted(names.data()),
          e);
    }
  }

  private static RowmarkException conflict(IndexedTable names, Exception cause) {
    return new RowmarkException(
        Category.CONFLICT,
        Retry.HELPS,
        "Another writer changed table %s while older rows of repeated keys were to be deleted, so these deletes were not committed. Run again."
            .formatted(names.data()),
        cause);
  }

  /** Removes the written files; only when the change is known not to have landed. */
  public void discard() {
    RefusedDeletes.remove(transaction.table().io(), added);
  }
}
