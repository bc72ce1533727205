package io.rowmark.merge.probe;

import java.io.IOException;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableCommit;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * One data file, made ready to be committed on what the table was at that time.
 *
 * @param path of the data file
 */
record StagedAppend(TableIdentifier name, BaseTransaction transaction, String path) {

  /** Writes the file and stages it; the catalog hears nothing of it. */
  static StagedAppend on(ScratchTables scratch, TableIdentifier name) throws IOException {
    Table table = scratch.load(name);
    DataFile data = ScratchFiles.data(table, 1);
    BaseTransaction transaction = (BaseTransaction) table.newTransaction();
    transaction.newFastAppend().appendFile(data).commit();
    return new StagedAppend(name, transaction, data.location());
  }

  /** One compare-and-swap from the base; Iceberg's own commit would move to a newer one. */
  void swap() {
    transaction.underlyingOps().commit(transaction.startMetadata(), transaction.currentMetadata());
  }

  /** The change as a member of a multi-table commit. */
  TableCommit member() {
    return TableCommit.create(name, transaction.startMetadata(), transaction.currentMetadata());
  }

  boolean isIn(ScratchTables scratch) {
    return ScratchFiles.livePaths(scratch.load(name)).contains(path);
  }
}
