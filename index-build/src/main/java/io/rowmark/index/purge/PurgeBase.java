package io.rowmark.index.purge;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.util.Collection;
import java.util.Objects;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * A table and its index as they were when a purge began.
 *
 * @param data the data table
 * @param index null for a table without one
 * @param trust what the index may be relied on for
 */
public record PurgeBase(Part data, @Nullable Part index, Trust trust) {

  /** What the index tells. */
  public enum Trust {
    /** Every live row of a key: of other data files only dead rows need be looked for. */
    EVERY_LIVE_ROW,
    /**
     * Only some: it is behind, or there is none, or it is of a history. All files are looked into.
     */
    SOME_ROWS
  }

  /**
   * One table.
   *
   * @param keys in the columns of this table
   * @param snapshot null for a table without one
   * @param live its files, with the bounds of the key columns
   */
  public record Part(Table table, WantedKeys keys, @Nullable Snapshot snapshot, LiveFiles live) {
    public static Part of(Table table, WantedKeys keys) {
      Snapshot snapshot = table.currentSnapshot();
      return new Part(
          table, keys, snapshot, LiveFiles.withBounds(table, snapshot, keys.fieldIds()));
    }

    /** Files that can hold a key, as far as their bounds tell. */
    Collection<LiveFile> candidates() {
      return live.all().stream().filter(file -> keys.mayBeIn(file.file())).toList();
    }
  }

  /** The index of a table that has one. */
  public Part requireIndex() {
    return Objects.requireNonNull(index);
  }
}
