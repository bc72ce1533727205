package io.rowmark.index.purge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.jspecify.annotations.Nullable;

/**
 * The files that some snapshots of a table name, each once, and which snapshots these are. Reads
 * every manifest once, whatever branch it is of.
 */
final class SnapshotFiles {
  private final Map<String, Set<Long>> snapshotsOf = new LinkedHashMap<>();
  private final Map<String, DataFile> dataFiles = new LinkedHashMap<>();
  private final Map<String, DeleteFile> deleteFiles = new LinkedHashMap<>();
  private final Map<String, List<String>> manifestsOf = new HashMap<>();

  private SnapshotFiles() {}

  /**
   * @param columns whose statistics files come with
   */
  static SnapshotFiles of(Table table, Collection<Snapshot> snapshots, Set<Integer> columns) {
    SnapshotFiles files = new SnapshotFiles();
    Map<String, ManifestFile> manifests = new LinkedHashMap<>();
    for (Snapshot snapshot : snapshots) {
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        manifests.put(manifest.path(), manifest);
        files
            .snapshotsOf
            .computeIfAbsent(manifest.path(), path -> new TreeSet<>())
            .add(snapshot.snapshotId());
      }
    }
    manifests.values().forEach(manifest -> files.read(table, manifest, columns));
    return files;
  }

  /** Those of a table's current snapshot; none if it has none. */
  static SnapshotFiles current(Table table, @Nullable Snapshot snapshot, Set<Integer> columns) {
    return of(table, snapshot == null ? List.of() : List.of(snapshot), columns);
  }

  private void read(Table table, ManifestFile manifest, Set<Integer> columns) {
    if (manifest.content() == ManifestContent.DATA) {
      read(
          ManifestFiles.read(manifest, table.io(), table.specs()),
          manifest,
          file -> dataFiles.putIfAbsent(file.location(), file.copyWithStats(columns)));
    } else {
      read(
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs()),
          manifest,
          file -> deleteFiles.putIfAbsent(file.location(), file.copyWithStats(columns)));
    }
  }

  private <F extends ContentFile<F>> void read(
      ManifestReader<F> reader, ManifestFile manifest, java.util.function.Consumer<F> files) {
    try (CloseableIterable<F> live = reader) {
      for (F file : live) {
        files.accept(file);
        manifestsOf
            .computeIfAbsent(file.location(), path -> new ArrayList<>(1))
            .add(manifest.path());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read manifest " + manifest.path(), e);
    }
  }

  Collection<DataFile> dataFiles() {
    return dataFiles.values();
  }

  /** Equality delete files, and position delete files that hold rows. */
  Collection<DeleteFile> deleteFiles() {
    return deleteFiles.values();
  }

  Collection<DeleteFile> equalityDeletes() {
    return deleteFiles.values().stream()
        .filter(file -> file.content() == FileContent.EQUALITY_DELETES)
        .toList();
  }

  boolean has(String location) {
    return manifestsOf.containsKey(location);
  }

  int size() {
    return manifestsOf.size();
  }

  /** Ids of the snapshots that name a file, ascending. */
  Set<Long> snapshots(String location) {
    Set<Long> ids = new TreeSet<>();
    for (String manifest :
        Objects.requireNonNullElse(manifestsOf.get(location), List.<String>of())) {
      ids.addAll(Objects.requireNonNull(snapshotsOf.get(manifest)));
    }
    return ids;
  }

  /** Columns of equality deletes that share some of the key's columns, or hold no key at all. */
  static boolean holdsWholeKey(DeleteFile delete, Set<Integer> key) {
    return new HashSet<>(delete.equalityFieldIds()).containsAll(key);
  }

  /** Whether a delete's columns are some of the key's, but not all. */
  static boolean holdsPartOfKey(DeleteFile delete, Set<Integer> key) {
    return !holdsWholeKey(delete, key)
        && delete.equalityFieldIds().stream().anyMatch(key::contains);
  }
}
