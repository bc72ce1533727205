package io.rowmark.index.build;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyGroups;
import io.rowmark.index.scan.KeyProblems;
import io.rowmark.index.scan.KeyProblems.Clash;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.Place;
import io.rowmark.index.write.IndexRunWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.iceberg.DataFile;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows sorted by key into index entries: the live row of each key with the order that the old
 * index remembers for it, or a tombstone where only the order is left.
 */
final class EntryMerge {
  private final IndexRunWriter writer;
  private final FileNumbers files;
  private final KeyGroups groups;
  private final int[] ordinals;
  private final int width;
  private int pathFile = FileNumbers.UNKNOWN;
  private @Nullable UTF8String path;

  private long rowsOfKey;
  private @Nullable Place place;
  private @Nullable Long rowId;
  private byte @Nullable [] order;

  private long rows;
  private long tombstones;
  private long nullKeys;
  private long repeatedKeys;
  private long surplusRows;
  private final List<Place> nullExamples = new ArrayList<>();
  private final List<Clash> clashes = new ArrayList<>();
  private final Set<Integer> clashFiles = new HashSet<>();

  EntryMerge(IndexRunWriter writer, KeySpec key, FileNumbers files) {
    this.writer = writer;
    this.files = files;
    this.width = key.columns().size();
    this.groups = KeyGroups.of(key);
    this.ordinals = IntStream.range(0, width).toArray();
  }

  void add(InternalRow row) {
    if (groups.begins(row)) {
      finish();
      groups.enter();
      rowsOfKey = 0;
      place = null;
      rowId = null;
      order = null;
    }
    if (row.getInt(width + KeyedRows.KIND) == KeyedRows.ROW) {
      addRow(row);
    } else {
      byte[] remembered = row.getBinary(width + KeyedRows.EXTRA);
      if (order == null || ChangeOrder.COMPARATOR.compare(remembered, order) > 0) {
        order = remembered;
      }
    }
  }

  private void addRow(InternalRow row) {
    int file = row.getInt(width + KeyedRows.FILE);
    if (file == FileNumbers.UNKNOWN) {
      throw new IllegalStateException(
          "Spark read a data file that Iceberg's planning of the same snapshot did not name");
    }
    Place found = new Place(file, row.getLong(width + KeyedRows.POSITION));
    if (groups.key().anyNull()) {
      nullKeys++;
      keepExample(nullExamples, found);
      return;
    }
    rowsOfKey++;
    if (place == null) {
      place = found;
      int id = width + KeyedRows.ROW_ID;
      rowId = row.isNullAt(id) ? null : Long.valueOf(row.getLong(id));
    } else {
      surplusRows++;
      clashFiles.add(place.file());
      clashFiles.add(found.file());
      if (rowsOfKey == 2) {
        repeatedKeys++;
        keepExample(clashes, new Clash(place, found));
      }
    }
  }

  private static <T> void keepExample(List<T> examples, T example) {
    if (examples.size() < KeyProblems.EXAMPLES) {
      examples.add(example);
    }
  }

  /** Writes the entry of the current key. To be called once more after the last row. */
  void finish() {
    Place live = place;
    if (live != null) {
      Long byPlace = files.idByPlace(live.file(), live.position());
      Long stored = Objects.equals(rowId, byPlace) ? null : rowId;
      writer.add(groups.key(), ordinals, path(live.file()), live.position(), stored, order);
      rows++;
    } else if (order != null) {
      writer.add(groups.key(), ordinals, null, null, null, order);
      tombstones++;
    }
  }

  private @Nullable UTF8String path(int file) {
    if (file != pathFile) {
      pathFile = file;
      path = UTF8String.fromString(files.path(file));
    }
    return path;
  }

  TaskOutput output(List<DataFile> written) {
    return new TaskOutput(
        written,
        rows,
        tombstones,
        new KeyProblems(nullKeys, repeatedKeys, surplusRows, nullExamples, clashes, clashFiles));
  }
}
