package io.rowmark.merge;

import io.rowmark.merge.write.WrittenTable;
import java.util.List;

/** What becomes of the files that a refused attempt wrote. */
sealed interface Rebase {

  /**
   * Rows and index entries are as they would be written now. Where the rows are that they replace
   * was looked up anew; the deletes that say so are still to be written.
   *
   * @param keys looked up again
   */
  record Rebased(List<WrittenTable> tables, long keys) implements Rebase {
    public Rebased {
      tables = List.copyOf(tables);
    }

    /** Data files that need not be written again. */
    int dataFiles() {
      return tables.stream().mapToInt(table -> table.dataFiles().size()).sum();
    }
  }

  /**
   * They are of no use: the batch is made from its inputs again.
   *
   * @param reason for people
   */
  record Redo(String reason) implements Rebase {}
}
