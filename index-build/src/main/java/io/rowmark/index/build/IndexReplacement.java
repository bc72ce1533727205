package io.rowmark.index.build;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.IndexLayout;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.TableSwap;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Expressions;
import org.jspecify.annotations.Nullable;

/** One commit that replaces everything in an index table. */
final class IndexReplacement {
  private final IndexedTable names;
  private final Transaction transaction;
  private final Scope scope;
  private final @Nullable Snapshot former;
  private final Optional<IndexCoverage> kept;

  /** What is replaced. */
  private enum Scope {
    CONTENT,
    /** The table itself, its columns included: Iceberg has a transaction of its own for it. */
    TABLE
  }

  private IndexReplacement(
      IndexedTable names,
      Transaction transaction,
      Scope scope,
      @Nullable Snapshot former,
      Optional<IndexCoverage> kept) {
    this.names = names;
    this.transaction = transaction;
    this.scope = scope;
    this.former = former;
    this.kept = kept;
  }

  /**
   * Opens the index table, creating it empty if there is none: a server may refuse to create a
   * table and fill it in one commit. An index of other columns is replaced as a table.
   */
  static IndexReplacement begin(IndexedTable names, Table data, KeySpec key) {
    Table index =
        IndexTables.find(names.catalog(), names.index())
            .orElseGet(() -> IndexTables.create(names.catalog(), names.index(), data, key));
    int version = Math.max(TableUtil.formatVersion(index), TableUtil.formatVersion(data));
    if (!IndexTables.sameTypes(index.schema(), IndexLayout.schema(key))) {
      Transaction replacement =
          IndexTables.builder(names.catalog(), names.index(), version, key).replaceTransaction();
      return new IndexReplacement(names, replacement, Scope.TABLE, null, Optional.empty());
    }
    Transaction transaction = index.newTransaction();
    IndexTables.follow(transaction, version, key);
    Optional<IndexCoverage> kept =
        IndexTables.state(index)
            .lastClaim()
            .filter(former -> former.sameSubject(IndexTables.wanted(data, key)));
    return new IndexReplacement(names, transaction, Scope.CONTENT, index.currentSnapshot(), kept);
  }

  /** The table as it will be: what index files are to be written for. */
  Table table() {
    return transaction.table();
  }

  /** The former content, if it speaks of the same table, key and layout. */
  Optional<Snapshot> remembered() {
    return kept.isPresent() ? Optional.ofNullable(former) : Optional.empty();
  }

  /**
   * Commits.
   *
   * @return the index's new snapshot
   * @throws RowmarkException CONFLICT when another writer changed the index meanwhile: then nothing
   *     was committed. UNKNOWN_COMMIT when the catalog's answer was lost
   */
  long commit(List<DataFile> files, IndexCoverage coverage) {
    byte[] truncatedAt = kept.map(IndexCoverage::truncatedAt).orElse(null);
    OverwriteFiles overwrite =
        transaction
            .newOverwrite()
            .overwriteByRowFilter(Expressions.alwaysTrue())
            .validateNoConflictingData()
            .validateNoConflictingDeletes();
    if (former != null) {
      overwrite.validateFromSnapshot(former.snapshotId());
    }
    files.forEach(overwrite::addFile);
    IndexCoverage.of(
            coverage.tableUuid(), coverage.dataSnapshotId(), coverage.keyFingerprint(), truncatedAt)
        .toSummary()
        .forEach(overwrite::set);
    try {
      overwrite.commit();
      return land();
    } catch (ValidationException | CommitFailedException e) {
      discard(files);
      throw new RowmarkException(
          Category.CONFLICT,
          Retry.HELPS,
          "Another writer changed the index %s while it was built, so nothing was committed. Run 'rowmark index build' again when no batch is running."
              .formatted(names.index()),
          e);
    } catch (RuntimeException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          Retry.HELPS,
          "The catalog gave no clear answer to the commit of the index %s: it may or may not be in place. Nothing was removed. Run 'rowmark index build' again: it replaces the index as a whole."
              .formatted(names.index()),
          e);
    }
  }

  private long land() {
    if (scope == Scope.TABLE) {
      long snapshotId = transaction.table().currentSnapshot().snapshotId();
      transaction.commitTransaction();
      return snapshotId;
    }
    return TableSwap.once(
            transaction, () -> names.catalog().loadTable(names.index()), SnapshotRef.MAIN_BRANCH)
        .snapshotId();
  }

  /** Removes written files that no commit names. */
  void discard(List<DataFile> files) {
    files.forEach(file -> table().io().deleteFile(file.location()));
  }
}
