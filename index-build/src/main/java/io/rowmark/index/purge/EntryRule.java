package io.rowmark.index.purge;

import io.rowmark.formats.failure.RowmarkException;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the entries of the keys, and lets those of rows that were written again say where the
 * rows are now. For one index file.
 */
final class EntryRule implements RowRule {
  private final WantedKeys.Matcher matcher;
  private final Map<String, MovedFile> moves;
  private final int fileAt;
  private long purged;
  private long tombstones;
  private long moved;

  /**
   * @param moves by the path of the former data file
   * @param width how many columns the key has; the place follows them
   */
  EntryRule(WantedKeys.Matcher matcher, Map<String, MovedFile> moves, int width) {
    this.matcher = matcher;
    this.moves = moves;
    this.fileAt = width;
  }

  @Override
  public boolean keep(Record entry) {
    String file = entry.get(fileAt, String.class);
    if (matcher.matches(entry)) {
      if (file == null) {
        tombstones++;
      } else {
        purged++;
      }
      return false;
    }
    MovedFile there = file == null ? null : moves.get(file);
    if (there != null) {
      move(entry, there);
    }
    return true;
  }

  private void move(Record entry, MovedFile there) {
    long position = entry.get(fileAt + 1, Long.class);
    MovedFile.@Nullable NewPlace now = there.place(position);
    if (now == null) {
      throw RowmarkException.tableState(
          "The index points to position %d of data file '%s', where no live row is. Nothing was committed. Run 'rowmark index verify'."
              .formatted(position, there.path()));
    }
    entry.set(fileAt, now.path());
    entry.set(fileAt + 1, now.position());
    Long first = there.firstRowId();
    if (first != null && entry.get(fileAt + 2, Long.class) == null) {
      // it had the id by its former place, which its row keeps
      entry.set(fileAt + 2, first + position);
    }
    moved++;
  }

  RewrittenEntries result(String path, FileRewriter.Rewritten rewritten) {
    return new RewrittenEntries(path, rewritten.files(), purged, tombstones, moved);
  }
}
