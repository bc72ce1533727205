package io.rowmark.index.testing;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** What a snapshot's manifests say, read without Rowmark's own planning. */
public final class DeleteFileKinds {
  private DeleteFileKinds() {}

  /** How many delete files of each kind a snapshot has. */
  public static Map<DeleteFormat, Integer> of(Table table, @Nullable Snapshot snapshot) {
    Map<DeleteFormat, Integer> kinds = new EnumMap<>(DeleteFormat.class);
    if (snapshot == null) {
      return kinds;
    }
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (var deletes = ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile delete : deletes) {
          kinds.merge(DeleteFormat.of(delete), 1, Integer::sum);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return kinds;
  }

  /** Rows in the data files of a snapshot, with deletes left out of account. */
  public static long rowsWithDeletesIgnored(Table table, @Nullable Snapshot snapshot) {
    long rows = 0;
    for (LiveFile live : LiveFiles.at(table, snapshot).all()) {
      rows += live.file().recordCount();
    }
    return rows;
  }
}
