package io.rowmark.index.reconcile;

import io.rowmark.formats.index.FileSetDiff;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.scan.FileNumbers;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.spark.source.SerializableTableWithSize;

/**
 * Tells which places in the data table an entry must not name any more. Deleted positions of a file
 * are loaded when the first entry of it is met, once for all tasks of an executor.
 */
final class StalePlaces implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Table table;
  private final HashMap<Integer, LiveFile> masked;
  private final HashMap<Integer, LiveFile> erased;
  private final HashSet<Integer> uncertain;
  private transient ConcurrentHashMap<Integer, PositionDeleteIndex> deleted =
      new ConcurrentHashMap<>();

  private StalePlaces(Table table, LiveFiles live, FileNumbers numbers, FileSetDiff diff) {
    this.table = table;
    this.masked = numbered(diff.masked(), live, numbers);
    this.erased = numbered(diff.erased(), live, numbers);
    this.uncertain = new HashSet<>(numbered(diff.uncertain(), live, numbers).keySet());
  }

  private static HashMap<Integer, LiveFile> numbered(
      Set<String> paths, LiveFiles live, FileNumbers numbers) {
    HashMap<Integer, LiveFile> files = new HashMap<>();
    paths.forEach(path -> files.put(numbers.number(path), live.require(path)));
    return files;
  }

  static StalePlaces of(Table data, LiveFiles live, FileNumbers numbers, FileSetDiff diff) {
    return new StalePlaces(SerializableTableWithSize.copyOf(data), live, numbers, diff);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    deleted = new ConcurrentHashMap<>();
  }

  /** Whether an entry that names this place has to go or to be looked at again. */
  boolean isStale(int file, long position) {
    return file == FileNumbers.UNKNOWN
        || uncertain.contains(file)
        || ((isMasked(file) || isErased(file)) && deletedIn(file).isDeleted(position));
  }

  boolean isMasked(int file) {
    return masked.containsKey(file);
  }

  boolean isErased(int file) {
    return erased.containsKey(file);
  }

  /** Rows that a masked file has left. */
  long liveRows(int file) {
    PositionDeleteIndex positions = deletedIn(file);
    // an empty one of Iceberg's does not count itself
    long gone = positions.isEmpty() ? 0 : positions.cardinality();
    return Objects.requireNonNull(masked.get(file)).file().recordCount() - gone;
  }

  private PositionDeleteIndex deletedIn(int file) {
    return deleted.computeIfAbsent(file, this::load);
  }

  private PositionDeleteIndex load(int file) {
    LiveFile live = Objects.requireNonNull((isMasked(file) ? masked : erased).get(file));
    if (live.positionalDeletes().isEmpty()) {
      return PositionDeleteIndex.empty();
    }
    BaseDeleteLoader loader =
        new BaseDeleteLoader(
            delete ->
                EncryptingFileIO.combine(table.io(), table.encryption()).newInputFile(delete));
    return loader.loadPositionDeletes(live.positionalDeletes(), live.path());
  }
}
