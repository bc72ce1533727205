package io.rowmark.merge.commit;

import io.rowmark.formats.position.FileDeletes;
import io.rowmark.merge.stage.StagedTable;
import io.rowmark.merge.stage.StagedTable.StagedChange;
import io.rowmark.merge.write.WrittenTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the files of an attempt that the catalog refused. Never called when the outcome is not
 * known, and only for files that this attempt wrote.
 */
public final class RefusedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedFiles.class);

  private RefusedFiles() {}

  /**
   * Removes what can be removed; what cannot is left for orphan removal, with a warning.
   *
   * @param notLanded tables of which nothing was committed; files of any other table are in use
   */
  public static void remove(List<StagedTable> notLanded) {
    removeAllButRows(notLanded);
    for (StagedTable table : notLanded) {
      WrittenTable written = table.written();
      FileIO data = table.data().transaction().table().io();
      remove(data, paths(written.dataFiles()));
      remove(data, paths(written.keyDeletes()));
      StagedChange index = table.index();
      if (index != null) {
        remove(index.transaction().table().io(), paths(written.indexFiles()));
      }
    }
  }

  /**
   * Removes what says where rows were: deletes by position, and manifests. Rows, entries and
   * deletes by key stay, for another attempt to commit.
   *
   * @param notLanded as in {@link #remove}
   */
  public static void removeAllButRows(List<StagedTable> notLanded) {
    for (StagedTable table : notLanded) {
      WrittenTable written = table.written();
      FileIO data = table.data().transaction().table().io();
      remove(data, added(written.dataDeletes()));
      remove(data, manifests(table.data(), data));
      StagedChange index = table.index();
      if (index != null) {
        FileIO entries = index.transaction().table().io();
        remove(entries, added(written.indexDeletes()));
        remove(entries, manifests(index, entries));
      }
    }
  }

  private static List<String> paths(List<? extends ContentFile<?>> files) {
    return files.stream().map(ContentFile::location).toList();
  }

  private static List<String> added(List<FileDeletes> deletes) {
    return deletes.stream().flatMap(one -> one.added().stream()).map(DeleteFile::location).toList();
  }

  private static List<String> manifests(StagedChange change, FileIO io) {
    List<String> paths = new ArrayList<>();
    Snapshot snapshot = change.snapshot();
    if (snapshot != null) {
      for (ManifestFile manifest : snapshot.allManifests(io)) {
        Long owner = manifest.snapshotId();
        if (owner != null && owner == snapshot.snapshotId()) {
          paths.add(manifest.path());
        }
      }
      paths.add(snapshot.manifestListLocation());
    }
    return paths;
  }

  private static void remove(FileIO io, List<String> paths) {
    for (String path : paths) {
      try {
        io.deleteFile(path);
      } catch (RuntimeException e) {
        LOG.warn("A file of a refused attempt could not be removed: {}", path, e);
      }
    }
  }
}
