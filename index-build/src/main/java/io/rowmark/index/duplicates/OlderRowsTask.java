package io.rowmark.index.duplicates;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyGroups;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.LazyResults;
import io.rowmark.index.scan.Place;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Iterator;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows whose key a newer row has, from rows with ages that are sorted by key: (file,
 * position, newest file, newest position, number among the older rows of the key).
 *
 * <p>The newest is the one that was changed last; among those of one commit, the one in the last
 * file by path, and in that the last one. So the order is total, and the same in every run.
 */
final class OlderRowsTask implements FlatMapFunction<Iterator<InternalRow>, Row> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileNumbers> files;
  private final KeySpec key;

  OlderRowsTask(Broadcast<FileNumbers> files, KeySpec key) {
    this.files = files;
    this.key = key;
  }

  @Override
  public Iterator<Row> call(Iterator<InternalRow> rows) {
    Groups groups = new Groups(files.value(), key);
    return new LazyResults<>(rows, groups::add, groups::settle, groups.found);
  }

  /** A row's place and the sequence number of its last change. */
  private record Aged(Place place, long age) {
    /** Numbers of files are in the order of their paths. */
    static final Comparator<Aged> BY_AGE =
        Comparator.comparingLong(Aged::age)
            .thenComparingInt(row -> row.place().file())
            .thenComparingLong(row -> row.place().position());
  }

  private static final class Groups {
    private final FileNumbers files;
    private final KeyGroups groups;
    private final int width;
    private final ArrayDeque<Row> found = new ArrayDeque<>();
    private final ArrayDeque<Aged> older = new ArrayDeque<>();
    private @Nullable Aged newest;

    Groups(FileNumbers files, KeySpec key) {
      this.files = files;
      this.width = key.columns().size();
      this.groups = KeyGroups.of(key);
    }

    private void add(InternalRow input) {
      if (groups.begins(input)) {
        settle();
        groups.enter();
      }
      // a null is the key of no row
      if (!groups.key().anyNull()) {
        Aged row = aged(input);
        Aged last = newest;
        if (last == null) {
          newest = row;
        } else if (Aged.BY_AGE.compare(row, last) > 0) {
          older.add(last);
          newest = row;
        } else {
          older.add(row);
        }
      }
    }

    private Aged aged(InternalRow input) {
      int age = width + KeyedRows.EXTRA;
      return new Aged(
          new Place(
              input.getInt(width + KeyedRows.FILE), input.getLong(width + KeyedRows.POSITION)),
          input.isNullAt(age) ? 0 : input.getLong(age));
    }

    private void settle() {
      Aged kept = newest;
      int number = 0;
      while (kept != null && !older.isEmpty()) {
        Place place = older.remove().place();
        found.add(
            RowFactory.create(
                files.path(place.file()),
                place.position(),
                files.path(kept.place().file()),
                kept.place().position(),
                number++));
      }
      newest = null;
    }
  }
}
