package io.rowmark.index.verify;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyGroups;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.Place;
import io.rowmark.index.verify.Difference.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** Compares the rows and entries of one key after another, in input sorted by key. */
final class KeyComparison {
  private final FileNumbers files;
  private final UnknownFile unknownFile;
  private final KeyGroups groups;
  private final int width;

  private long rowsOfKey;
  private long entriesOfKey;
  private long liveEntriesOfKey;
  private @Nullable Located row;
  private @Nullable Located entry;

  private long rows;
  private long entries;
  private long tombstones;
  private final Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
  private final List<Finding> examples = new ArrayList<>();

  /** The first row or live entry of a key. */
  private record Located(Place place, @Nullable Long rowId) {}

  /** Where an entry has the path of a file that is not live. */
  enum UnknownFile {
    /** It is {@link KeyedRows#EXTRA}. */
    ALONE,
    /** It is the last part of {@link KeyedRows#ENTRY_PLACE_AND_PATH}. */
    BEHIND_PLACE
  }

  KeyComparison(KeySpec key, FileNumbers files, UnknownFile unknownFile) {
    this.files = files;
    this.unknownFile = unknownFile;
    this.width = key.columns().size();
    this.groups = KeyGroups.of(key);
  }

  void add(InternalRow input) {
    if (groups.begins(input)) {
      finish();
      groups.enter();
      rowsOfKey = 0;
      entriesOfKey = 0;
      liveEntriesOfKey = 0;
      row = null;
      entry = null;
    }
    switch (input.getInt(width + KeyedRows.KIND)) {
      case KeyedRows.ROW -> addRow(located(input));
      case KeyedRows.ENTRY -> addEntry(located(input), input);
      default -> addTombstone();
    }
  }

  private Located located(InternalRow input) {
    int id = width + KeyedRows.ROW_ID;
    return new Located(
        new Place(input.getInt(width + KeyedRows.FILE), input.getLong(width + KeyedRows.POSITION)),
        input.isNullAt(id) ? null : Long.valueOf(input.getLong(id)));
  }

  private void addRow(Located found) {
    rows++;
    if (groups.key().anyNull()) {
      report(Kind.NULL_KEY, found.place(), null, null);
    } else if (++rowsOfKey > 1) {
      report(Kind.DUPLICATE_ROW, found.place(), row == null ? null : row.place(), null);
    } else {
      row = found;
    }
  }

  private void addEntry(Located found, InternalRow input) {
    entries++;
    liveEntriesOfKey++;
    if (++entriesOfKey > 1) {
      boolean known = found.place().file() != FileNumbers.UNKNOWN;
      report(Kind.DUPLICATE_ENTRY, found.place(), null, known ? null : path(input));
    }
    if (found.place().file() == FileNumbers.UNKNOWN) {
      report(Kind.VANISHED_FILE, found.place(), null, path(input));
    } else if (entry == null) {
      entry = found;
    }
  }

  private String path(InternalRow input) {
    int extra = width + KeyedRows.EXTRA;
    int parts = KeyedRows.ENTRY_PLACE_AND_PATH.fields().length;
    return switch (unknownFile) {
      case ALONE -> input.getUTF8String(extra).toString();
      case BEHIND_PLACE -> input.getStruct(extra, parts).getUTF8String(parts - 1).toString();
    };
  }

  private void addTombstone() {
    tombstones++;
    if (++entriesOfKey > 1) {
      report(Kind.DUPLICATE_ENTRY, null, null, null);
    }
  }

  /** Compares what the current key has. To be called once more after the last row. */
  void finish() {
    Located live = row;
    Located known = entry;
    if (live == null) {
      if (known != null) {
        report(Kind.NO_SUCH_ROW, known.place(), null, null);
      }
    } else if (known == null) {
      if (liveEntriesOfKey == 0) {
        report(Kind.MISSING_ENTRY, live.place(), null, null);
      }
    } else if (rowsOfKey == 1 && entriesOfKey == 1) {
      compare(live, known);
    }
  }

  private void compare(Located live, Located known) {
    if (!live.place().equals(known.place())) {
      report(Kind.WRONG_PLACE, known.place(), live.place(), null);
    } else if (live.rowId() != null && !live.rowId().equals(effectiveId(known))) {
      report(Kind.WRONG_ROW_ID, known.place(), null, null);
    }
  }

  /** An entry without an id means the one that the row has by its place. */
  private @Nullable Long effectiveId(Located known) {
    return known.rowId() == null
        ? files.idByPlace(known.place().file(), known.place().position())
        : known.rowId();
  }

  private void report(
      Kind kind, @Nullable Place place, @Nullable Place other, @Nullable String path) {
    kinds.merge(kind, 1L, Long::sum);
    if (examples.size() < VerifyReport.MOST_EXAMPLES) {
      examples.add(new Finding(kind, place, other, path));
    }
  }

  VerifyOutput output() {
    return new VerifyOutput(rows, entries, tombstones, kinds, examples);
  }
}
