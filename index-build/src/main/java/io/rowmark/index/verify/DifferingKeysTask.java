package io.rowmark.index.verify;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import io.rowmark.index.scan.KeyGroups;
import io.rowmark.index.scan.KeyedRows;
import io.rowmark.index.scan.LazyResults;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;

/** Lets through the rows and entries of those keys, in sorted input, that have a difference. */
final class DifferingKeysTask implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<FileNumbers> files;
  private final KeySpec key;

  DifferingKeysTask(Broadcast<FileNumbers> files, KeySpec key) {
    this.files = files;
    this.key = key;
  }

  @Override
  public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    Groups groups = new Groups(files.value(), key);
    return new LazyResults<>(rows, groups::add, groups::settle, groups.found);
  }

  private static final class Groups {
    private final FileNumbers files;
    private final KeyGroups groups;
    private final int width;
    private final List<InternalRow> group = new ArrayList<>();
    private final ArrayDeque<InternalRow> found = new ArrayDeque<>();

    Groups(FileNumbers files, KeySpec key) {
      this.files = files;
      this.width = key.columns().size();
      this.groups = KeyGroups.of(key);
    }

    private void add(InternalRow row) {
      if (groups.begins(row)) {
        settle();
        groups.enter();
      }
      group.add(row.copy());
    }

    private void settle() {
      if (!isSound()) {
        found.addAll(group);
      }
      group.clear();
    }

    private boolean isSound() {
      return switch (group.size()) {
        case 0 -> true;
        case 1 -> kind(group.get(0)) == KeyedRows.TOMBSTONE;
        case 2 -> !groups.key().anyNull() && agree(group.get(0), group.get(1));
        default -> false;
      };
    }

    private boolean agree(InternalRow one, InternalRow other) {
      if (kind(one) == KeyedRows.ROW && kind(other) == KeyedRows.ENTRY) {
        return says(other, one);
      }
      return kind(one) == KeyedRows.ENTRY && kind(other) == KeyedRows.ROW && says(one, other);
    }

    private boolean says(InternalRow entry, InternalRow row) {
      int file = width + KeyedRows.FILE;
      int position = width + KeyedRows.POSITION;
      int id = width + KeyedRows.ROW_ID;
      if (entry.getInt(file) != row.getInt(file)
          || entry.getLong(position) != row.getLong(position)) {
        return false;
      }
      if (row.isNullAt(id)) {
        return true;
      }
      Long said =
          entry.isNullAt(id)
              ? files.idByPlace(row.getInt(file), row.getLong(position))
              : Long.valueOf(entry.getLong(id));
      return said != null && said == row.getLong(id);
    }

    private int kind(InternalRow row) {
      return row.getInt(width + KeyedRows.KIND);
    }
  }
}
