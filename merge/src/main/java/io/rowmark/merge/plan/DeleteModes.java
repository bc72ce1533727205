package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;

/**
 * Decides how old rows of a keyed table are hidden, and refuses a table that lives by another way:
 * a change of ways needs its old deletes converted, or its index built, and is never a side effect.
 */
final class DeleteModes {
  private DeleteModes() {}

  /**
   * The format of new deletes of a keyed table.
   *
   * @throws RowmarkException CONFIG when the table's format version does not have the wanted one
   */
  static DeleteFormat format(TableSpec spec, int formatVersion) {
    DeleteFormat positional = DeleteFormat.positional(formatVersion);
    return switch (spec.deletes()) {
      case AUTO -> positional;
      case EQUALITY -> DeleteFormat.EQUALITY;
      case POSITION -> required(spec, DeleteFormat.POSITION, positional, formatVersion);
      case DELETION_VECTOR ->
          required(spec, DeleteFormat.DELETION_VECTOR, positional, formatVersion);
    };
  }

  private static DeleteFormat required(
      TableSpec spec, DeleteFormat wanted, DeleteFormat positional, int formatVersion) {
    if (wanted != positional) {
      throw RowmarkException.config(
          ("delete-format of table %s is %s, but the table is of format version %d, which takes no"
                  + " new deletes of that kind. Set delete-format to %s, equality or auto.")
              .formatted(spec.table(), written(wanted), formatVersion, written(positional)));
    }
    return wanted;
  }

  private static String written(DeleteFormat format) {
    return switch (format) {
      case EQUALITY -> "equality";
      case POSITION -> "position";
      case DELETION_VECTOR -> "deletion-vector";
    };
  }

  /**
   * Makes sure that a table whose rows are to be deleted by key has no index: batches that do not
   * keep it would leave it to rot.
   *
   * @throws RowmarkException TABLE_STATE when it has one
   */
  static void checkNoIndex(IndexedTable names) {
    if (IndexTables.exists(names.catalog(), names.index())) {
      throw RowmarkException.tableState(
          ("Table %s has the index %s, so its rows are deleted by position, and delete-format is"
                  + " equality. Nothing was changed. Set delete-format back to auto; 'rowmark plan'"
                  + " shows what a change of the delete format takes.")
              .formatted(names.data(), names.index()));
    }
  }

  /**
   * Makes sure that a table whose rows are to be deleted by key has no other deletes: its readers
   * may be unable to read those.
   *
   * @throws RowmarkException TABLE_STATE when it has some
   */
  static void checkKeyDeletesOnly(IndexedTable names, LiveFiles live) {
    long files = live.all().stream().filter(file -> !file.positionalDeletes().isEmpty()).count();
    if (files > 0) {
      throw RowmarkException.tableState(
          ("%d data files of table %s have position deletes or deletion vectors, and delete-format"
                  + " is equality. Nothing was changed. Set delete-format to auto, or compact the"
                  + " table; 'rowmark plan' shows what a change of the delete format takes.")
              .formatted(files, names.data()));
    }
  }

  /**
   * What to tell of equality deletes that others left in a table whose rows are deleted by
   * position. Rows and index are right with them, since the index is built from live rows; but a
   * reader that cannot read them still cannot read the table.
   */
  static List<String> notes(LiveFiles live) {
    long files = live.all().stream().filter(LiveFile::hasEqualityDeletes).count();
    return files == 0
        ? List.of()
        : List.of(
            "%d data files have equality deletes, which stay until 'rowmark convert' resolves them"
                .formatted(files));
  }
}
