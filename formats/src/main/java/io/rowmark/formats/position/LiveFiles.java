package io.rowmark.formats.position;

import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;

/**
 * The data files of one snapshot by path. Every path that an index gives is looked up here before
 * it is used: Iceberg commits a delete for a path that is not in the table without complaint, and
 * the row then stays visible.
 */
public final class LiveFiles {
  private final String table;
  private final Map<String, LiveFile> files;

  private LiveFiles(String table, Map<String, LiveFile> files) {
    this.table = table;
    this.files = files;
  }

  /** Plans a full scan of a snapshot; null stands for a table without one. */
  public static LiveFiles at(Table table, @Nullable Snapshot snapshot) {
    return plan(table, snapshot, TableScan::ignoreResiduals, DataFile::copyWithoutStats);
  }

  /**
   * The same, with the statistics of some columns, from which is seen which files can hold a value.
   *
   * @param fieldIds columns to keep statistics of
   */
  public static LiveFiles withBounds(
      Table table, @Nullable Snapshot snapshot, Set<Integer> fieldIds) {
    return plan(
        table,
        snapshot,
        scan -> scan.ignoreResiduals().includeColumnStats(),
        file -> file.copyWithStats(fieldIds));
  }

  /**
   * The same, with all statistics of some files, as they need who adds them to another branch.
   *
   * @param whole files to keep as their manifests describe them
   */
  public static LiveFiles withStatistics(
      Table table, @Nullable Snapshot snapshot, Predicate<DataFile> whole) {
    return plan(
        table,
        snapshot,
        scan -> scan.ignoreResiduals().includeColumnStats(),
        file -> whole.test(file) ? file.copy() : file.copyWithoutStats());
  }

  private static LiveFiles plan(
      Table table,
      @Nullable Snapshot snapshot,
      UnaryOperator<TableScan> options,
      UnaryOperator<DataFile> copy) {
    Map<String, LiveFile> files = new LinkedHashMap<>();
    // an equality delete applies to many data files: one copy serves all
    Map<String, DeleteFile> deletes = new HashMap<>();
    if (snapshot != null) {
      TableScan scan = options.apply(table.newScan().useSnapshot(snapshot.snapshotId()));
      try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
        for (FileScanTask task : tasks) {
          LiveFile live =
              new LiveFile(
                  copy.apply(task.file()),
                  task.deletes().stream()
                      .map(file -> deletes.computeIfAbsent(place(file), key -> file.copy()))
                      .toList());
          files.put(live.path(), live);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read the manifests of " + table.name(), e);
      }
    }
    return new LiveFiles(table.name(), files);
  }

  /** Several deletion vectors may lie in one file. */
  private static String place(DeleteFile file) {
    return file.location() + '@' + file.contentOffset();
  }

  /**
   * @throws RowmarkException TABLE_STATE when the snapshot has no such file
   */
  public LiveFile require(String path) {
    LiveFile file = files.get(path);
    if (file == null) {
      throw RowmarkException.tableState(
          ("The index names the data file '%s', which is not live in %s. The index is stale;"
                  + " nothing was committed. Run 'rowmark index build' for this table.")
              .formatted(path, table));
    }
    return file;
  }

  /**
   * Several files by path.
   *
   * @throws RowmarkException TABLE_STATE when the snapshot lacks one
   */
  public Map<String, LiveFile> requireAll(Collection<String> paths) {
    Map<String, LiveFile> found = new HashMap<>();
    paths.forEach(path -> found.put(path, require(path)));
    return found;
  }

  /** The file of a path; empty if it is not live. */
  public Optional<LiveFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }

  public Collection<LiveFile> all() {
    return files.values();
  }

  public boolean isEmpty() {
    return files.isEmpty();
  }

  /** Rows in all files, dead ones included. */
  public long recordCount() {
    return files.values().stream().mapToLong(live -> live.file().recordCount()).sum();
  }

  /** Bytes of all data files. */
  public long bytes() {
    return files.values().stream().mapToLong(live -> live.file().fileSizeInBytes()).sum();
  }
}
