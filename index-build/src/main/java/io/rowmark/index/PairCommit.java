package io.rowmark.index;

import java.util.function.Supplier;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits a change of a data table and the change of its index that goes with it. */
@FunctionalInterface
public interface PairCommit {

  /**
   * One table's part.
   *
   * @param staged with one new snapshot on the main branch
   */
  record Change(TableIdentifier name, Transaction staged) {}

  /** What is in place afterwards. */
  enum Landed {
    BOTH,
    /**
     * The index was changed by someone else: it is behind, and its new files are not referred to.
     */
    DATA_ONLY
  }

  /**
   * @throws CommitFailedException when neither change is in place, nor will be
   * @throws RuntimeException any other when it is not known what is in place
   */
  Landed commit(Catalog catalog, Change data, Change index);

  /**
   * The data table first, then its index. In between the index is behind, which any later run mends
   * by itself; the other way round it would name rows that are not there.
   */
  PairCommit ORDERED =
      (catalog, data, index) -> {
        swap(catalog, data);
        try {
          swap(catalog, index);
          return Landed.BOTH;
        } catch (CommitFailedException e) {
          log().warn("Index {} was changed by another writer", index.name(), e);
          return Landed.DATA_ONLY;
        }
      };

  private static void swap(Catalog catalog, Change change) {
    Supplier<Table> now = () -> catalog.loadTable(change.name());
    TableSwap.once(change.staged(), now, SnapshotRef.MAIN_BRANCH);
  }

  private static Logger log() {
    return LoggerFactory.getLogger(PairCommit.class);
  }
}
