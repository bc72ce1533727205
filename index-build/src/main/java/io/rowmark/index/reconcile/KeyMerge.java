package io.rowmark.index.reconcile;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyGroups;
import io.rowmark.index.scan.KeyProblems;
import io.rowmark.index.scan.KeyProblems.Clash;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Decides, key by key in sorted input, what becomes of stale entries and of rows that were read. A
 * row takes over the order of its key's old entry; an entry that says the same as the row stays.
 */
final class KeyMerge {

  /** What is to be done to the index. */
  interface Changes {
    /** An entry goes, by its place in the index. */
    void drop(Place entry);

    /** A key gets an entry. {@code key} is valid until this returns. */
    void add(UnsafeRow key, Place place, @Nullable Long rowId, byte @Nullable [] order);

    /** A deleted key is remembered. */
    void bury(UnsafeRow key, byte[] order);
  }

  private final Changes changes;
  private final FileNumbers files;
  private final KeyGroups groups;
  private final int width;

  private long rowsOfKey;
  private @Nullable Located row;
  private @Nullable Place standing;
  private byte @Nullable [] order;
  private final List<Entry> entries = new ArrayList<>();

  private long nullKeys;
  private long repeatedKeys;
  private long surplusRows;
  private final List<Place> nullExamples = new ArrayList<>();
  private final List<Clash> clashes = new ArrayList<>();
  private final Set<Integer> clashFiles = new HashSet<>();

  private record Located(Place place, @Nullable Long storedId) {}

  /**
   * @param said what it says; null for a tombstone
   */
  private record Entry(Place at, @Nullable Located said) {}

  KeyMerge(Changes changes, KeySpec key, FileNumbers files) {
    this.changes = changes;
    this.files = files;
    this.width = key.columns().size();
    this.groups = KeyGroups.of(key);
  }

  void add(InternalRow input) {
    if (groups.begins(input)) {
      finish();
      groups.enter();
      rowsOfKey = 0;
      row = null;
      standing = null;
      order = null;
      entries.clear();
    }
    switch (input.getInt(width + KeyedRows.KIND)) {
      case KeyedRows.ROW -> addRow(input);
      case KeyedRows.STANDING -> standing = place(input);
      case KeyedRows.TOMBSTONE -> addEntry(input, null);
      default -> addEntry(input, located(input));
    }
  }

  private void addRow(InternalRow input) {
    Place found = place(input);
    if (groups.key().anyNull()) {
      nullKeys++;
      keepExample(nullExamples, found);
      return;
    }
    rowsOfKey++;
    if (row == null) {
      row = located(input);
    } else {
      surplusRows++;
      clashFiles.add(row.place().file());
      clashFiles.add(found.file());
      if (rowsOfKey == 2) {
        repeatedKeys++;
        keepExample(clashes, new Clash(row.place(), found));
      }
    }
  }

  private void addEntry(InternalRow input, @Nullable Located said) {
    InternalRow extra =
        input.getStruct(width + KeyedRows.EXTRA, KeyedRows.ENTRY_PLACE.fields().length);
    entries.add(new Entry(new Place(extra.getInt(1), extra.getLong(2)), said));
    byte[] remembered = extra.isNullAt(0) ? null : extra.getBinary(0);
    if (remembered != null
        && (order == null || ChangeOrder.COMPARATOR.compare(remembered, order) > 0)) {
      order = remembered;
    }
  }

  /** An id that a row has by its place alone counts as none. */
  private Located located(InternalRow input) {
    Place place = place(input);
    Long id = id(input);
    boolean byPlace =
        place.file() != FileNumbers.UNKNOWN
            && Objects.equals(id, files.idByPlace(place.file(), place.position()));
    return new Located(place, byPlace ? null : id);
  }

  private Place place(InternalRow input) {
    return new Place(
        input.getInt(width + KeyedRows.FILE), input.getLong(width + KeyedRows.POSITION));
  }

  private @Nullable Long id(InternalRow input) {
    int at = width + KeyedRows.ROW_ID;
    return input.isNullAt(at) ? null : Long.valueOf(input.getLong(at));
  }

  private static <T> void keepExample(List<T> examples, T example) {
    if (examples.size() < KeyProblems.EXAMPLES) {
      examples.add(example);
    }
  }

  /** Settles the current key. To be called once more after the last row. */
  void finish() {
    Located live = row;
    if (live != null && standing != null) {
      repeatedKeys++;
      surplusRows++;
      clashFiles.add(standing.file());
      clashFiles.add(live.place().file());
      keepExample(clashes, new Clash(standing, live.place()));
      return;
    }
    if (entries.size() == 1) {
      Located said = entries.get(0).said();
      boolean buried = live == null && said == null && order != null;
      if (buried || (live != null && live.equals(said))) {
        return;
      }
    }
    entries.forEach(entry -> changes.drop(entry.at()));
    if (live != null) {
      changes.add(groups.key(), live.place(), live.storedId(), order);
    } else if (order != null) {
      changes.bury(groups.key(), order);
    }
  }

  KeyProblems problems() {
    return new KeyProblems(nullKeys, repeatedKeys, surplusRows, nullExamples, clashes, clashFiles);
  }
}
