package io.rowmark.merge.plan;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.index.VersionColumns;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.merge.spec.KeptRows;
import io.rowmark.merge.spec.TableSpec;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;

/** Whether a table is a history: its properties say so, and the configuration must agree. */
final class HistoryMark {
  private HistoryMark() {}

  /**
   * @throws RowmarkException CONFIG when the table is a history and is declared as none, or with
   *     other columns; TABLE_STATE when it is declared a history, and has rows that are no versions
   */
  static void check(TableSpec spec, Table table) {
    Optional<VersionColumns> stored = VersionColumns.of(table.properties());
    if (!(spec.kept() instanceof KeptRows.Versions versions)) {
      if (stored.isPresent()) {
        throw RowmarkException.config(
            "Table %s is a history (property %s): it holds every version of a row, which a batch in another mode would take for several rows of one key. Write mode = history, or feed another table."
                .formatted(spec.table(), VersionColumns.FROM));
      }
      return;
    }
    if (stored.isPresent() && !stored.get().equals(versions.names())) {
      throw RowmarkException.config(
          "Table %s is a history with the columns %s, and the configuration says %s. Correct the setting history of the table."
              .formatted(spec.table(), stored.get().text(), versions.names().text()));
    }
    if (stored.isEmpty() && !LiveFiles.at(table, table.currentSnapshot()).isEmpty()) {
      throw RowmarkException.tableState(
          "Table %s has rows and is no history, so nobody knows since when they are as they are. Feed a new table; or, if its rows are versions with the columns %s, say so by ALTER TABLE %s SET TBLPROPERTIES ('%s'='%s', '%s'='%s')."
              .formatted(
                  spec.table(),
                  versions.names().text(),
                  spec.table(),
                  VersionColumns.FROM,
                  versions.names().from(),
                  VersionColumns.TO,
                  versions.names().to()));
    }
  }

  /** Marks an empty table that was there before as the history it becomes. */
  static void put(TableSpec spec, Table table, Transaction transaction) {
    if (spec.kept() instanceof KeptRows.Versions versions
        && VersionColumns.of(table.properties()).isEmpty()) {
      UpdateProperties update = transaction.updateProperties();
      versions.names().toProperties().forEach(update::set);
      update.commit();
    }
  }
}
