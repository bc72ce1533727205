package io.rowmark.formats.audit;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ParallelIterable;
import org.apache.iceberg.util.ThreadPools;

/**
 * The live files of a snapshot, in no order. Scan planning cannot be used: it fails on some of the
 * tables that are worth a check, as on two deletion vectors of one data file.
 */
record ManifestScan(Table table, Snapshot snapshot) {
  // Without its partition column a manifest gives empty partitions, and no error.
  private static final List<String> DATA_COLUMNS =
      List.of("file_path", "partition", "record_count", "file_size_in_bytes");
  private static final Set<Integer> PATH_BOUNDS =
      Set.of(MetadataColumns.DELETE_FILE_PATH.fieldId());

  void dataFiles(Consumer<DataFile> each) {
    forEach(
        () -> snapshot.dataManifests(table.io()),
        manifest -> ManifestFiles.read(manifest, table.io(), table.specs()).select(DATA_COLUMNS),
        each);
  }

  /** Of the column bounds only those of the data files' paths are kept. */
  void deleteFiles(Consumer<DeleteFile> each) {
    forEach(
        () -> snapshot.deleteManifests(table.io()),
        manifest ->
            CloseableIterable.transform(
                ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs()),
                file -> file.copyWithStats(PATH_BOUNDS)),
        each);
  }

  private <F> void forEach(
      Supplier<List<ManifestFile>> manifests,
      Function<ManifestFile, CloseableIterable<F>> reader,
      Consumer<F> each) {
    try (ParallelIterable<F> files =
        new ParallelIterable<>(
            manifests.get().stream().filter(ManifestScan::hasLiveFiles).map(reader).toList(),
            ThreadPools.getWorkerPool())) {
      files.forEach(each);
    } catch (NotFoundException e) {
      throw unreadable(e, RowmarkException.Retry.USELESS);
    } catch (IOException | UncheckedIOException e) {
      throw unreadable(e, RowmarkException.Retry.HELPS);
    }
  }

  private static boolean hasLiveFiles(ManifestFile manifest) {
    return manifest.hasAddedFiles() || manifest.hasExistingFiles();
  }

  private RowmarkException unreadable(Exception cause, RowmarkException.Retry retry) {
    return new RowmarkException(
        Category.TABLE_STATE,
        retry,
        ("The manifests of snapshot %d of table %s cannot be read: %s. No reader can plan this"
                + " snapshot; look whether its metadata was removed, or may not be read from here.")
            .formatted(
                snapshot.snapshotId(),
                table.name(),
                Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getName())),
        cause);
  }
}
