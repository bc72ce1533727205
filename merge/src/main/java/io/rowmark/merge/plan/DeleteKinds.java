package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/** Which kinds of delete files a table has, from its delete manifests alone. */
final class DeleteKinds {
  private DeleteKinds() {}

  static Set<DeleteFormat> in(Table table) {
    Set<DeleteFormat> kinds = EnumSet.noneOf(DeleteFormat.class);
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return kinds;
    }
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> deletes =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile delete : deletes) {
          kinds.add(DeleteFormat.of(delete));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read the delete manifests of " + table.name(), e);
      }
      if (kinds.size() == DeleteFormat.values().length) {
        break;
      }
    }
    return kinds;
  }
}
