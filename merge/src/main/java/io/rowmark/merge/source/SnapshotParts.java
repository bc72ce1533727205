package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.merge.record.RowsPart;
import io.rowmark.merge.record.RowsPart.RowChange;
import io.rowmark.merge.record.RowsPart.Type;
import io.rowmark.merge.source.SourceHistory.Step;
import io.rowmark.merge.spec.SourcePlace.Changes;
import io.rowmark.merge.spec.SourcePlace.IcebergTables;
import io.rowmark.merge.spec.SourcePlace.Removals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What has to be read of a source table for a step of its history. Iceberg's own changelog scan
 * refuses every snapshot with delete files; here the live rows of a file before and after are told
 * apart instead, whatever kind of delete made the difference.
 */
final class SnapshotParts {
  private final Table source;
  private final Table shipped;
  private final IcebergTables settings;
  private final List<RowsPart> parts = new ArrayList<>();
  // the files after a step are often those before the next
  private final Map<Long, Map<String, LiveFile>> planned = new HashMap<>();
  private int input;
  private long records;

  SnapshotParts(Table source, IcebergTables settings) {
    this.source = source;
    this.shipped = SerializableTable.copyOf(source);
    this.settings = settings;
  }

  /**
   * The parts of a step; none when it changes no row.
   *
   * @param rank of the input that the step becomes
   * @throws RowmarkException SOURCE when the step takes rows out of a changelog, or what it removes
   *     cannot be known any more
   */
  List<RowsPart> of(Step step, int rank) {
    parts.clear();
    records = 0;
    input = rank;
    if (step instanceof Step.Whole whole) {
      add(files(whole.to()), Type.INSERT, whole.to());
    } else if (step instanceof Step.Across across) {
      difference(across.from(), across.to(), Back.POSSIBLE);
    } else if (settings.changes() == Changes.ROWS) {
      appended(step.to());
    } else {
      changed(step.to());
    }
    return List.copyOf(parts);
  }

  /** Whether deleted rows of a file can have come back. */
  private enum Back {
    POSSIBLE,
    NEVER
  }

  private void appended(Snapshot snapshot) {
    if (DataOperations.REPLACE.equals(snapshot.operation())) {
      return;
    }
    SnapshotChanges changes = changes(snapshot);
    if (onlyAdds(changes)) {
      add(added(changes), Type.INSERT, snapshot);
    } else if (settings.removals() == Removals.FAIL) {
      throw RowmarkException.source(
          ("Snapshot %d of source table %s, of kind '%s', takes rows out, but the rows of a changelog"
                  + " are changes, which cannot be taken back. If it only removes old changes, set"
                  + " source.iceberg.removals = ignore; if the table holds current rows, set"
                  + " source.iceberg.changes = snapshots.")
              .formatted(snapshot.snapshotId(), source.name(), snapshot.operation()));
    }
  }

  private static boolean onlyAdds(SnapshotChanges changes) {
    return isEmpty(changes.removedDataFiles())
        && isEmpty(changes.addedDeleteFiles())
        && isEmpty(changes.removedDeleteFiles());
  }

  private void changed(Snapshot snapshot) {
    if (DataOperations.REPLACE.equals(snapshot.operation())) {
      return;
    }
    SnapshotChanges changes = changes(snapshot);
    if (onlyAdds(changes)) {
      add(added(changes), Type.INSERT, snapshot);
      return;
    }
    Long parent = snapshot.parentId();
    Snapshot before = parent == null ? null : source.snapshot(parent);
    if (before == null && parent != null) {
      throw RowmarkException.source(
          ("Snapshot %d of source table %s removes rows, and its parent %d, which had them, is"
                  + " expired. Keep snapshots for longer than the time between two runs"
                  + " (history.expire.max-snapshot-age-ms of the source). To go on, feed an empty"
                  + " table under another name of pipeline and ledger.")
              .formatted(snapshot.snapshotId(), source.name(), parent));
    }
    difference(before, snapshot, Back.NEVER);
  }

  private void difference(@Nullable Snapshot from, Snapshot to, Back back) {
    Map<String, LiveFile> before = byPath(from);
    Map<String, LiveFile> after = byPath(to);
    planned.clear();
    planned.put(to.snapshotId(), after);
    before.forEach(
        (path, old) -> {
          LiveFile now = after.get(path);
          if (now == null) {
            add(old, null, Type.DELETE, to);
          } else if (!places(old).equals(places(now))) {
            add(old, now, Type.DELETE, to);
            if (back == Back.POSSIBLE) {
              add(now, old, Type.INSERT, to);
            }
          }
        });
    after.forEach(
        (path, file) -> {
          if (!before.containsKey(path)) {
            add(file, null, Type.INSERT, to);
          }
        });
  }

  private static List<String> places(LiveFile file) {
    return file.deletes().stream()
        .map(delete -> delete.location() + '@' + delete.contentOffset())
        .sorted()
        .toList();
  }

  private Map<String, LiveFile> byPath(@Nullable Snapshot snapshot) {
    if (snapshot == null) {
      return Map.of();
    }
    Map<String, LiveFile> known = planned.get(snapshot.snapshotId());
    return known != null
        ? known
        : files(snapshot).stream()
            .collect(
                Collectors.toMap(LiveFile::path, file -> file, (one, other) -> one, TreeMap::new));
  }

  private List<LiveFile> files(Snapshot snapshot) {
    return sorted(new ArrayList<>(LiveFiles.at(source, snapshot).all()));
  }

  private SnapshotChanges changes(Snapshot snapshot) {
    return SnapshotChanges.builderFor(source).snapshot(snapshot).build();
  }

  private static List<LiveFile> added(SnapshotChanges changes) {
    List<LiveFile> files = new ArrayList<>();
    for (DataFile file : changes.addedDataFiles()) {
      files.add(new LiveFile(file.copyWithoutStats(), List.of()));
    }
    return sorted(files);
  }

  /** Of changes with equal orders the one that arrived later counts. */
  private static List<LiveFile> sorted(List<LiveFile> files) {
    files.sort(Comparator.comparing(SnapshotParts::age).thenComparing(LiveFile::path));
    return files;
  }

  private static long age(LiveFile file) {
    Long sequence = file.file().dataSequenceNumber();
    return sequence == null ? Long.MAX_VALUE : sequence;
  }

  private static boolean isEmpty(Iterable<?> files) {
    return StreamSupport.stream(files.spliterator(), false).findAny().isEmpty();
  }

  private void add(List<LiveFile> files, Type type, Snapshot snapshot) {
    files.forEach(file -> add(file, null, type, snapshot));
  }

  private void add(LiveFile file, @Nullable LiveFile except, Type type, Snapshot snapshot) {
    RowChange change =
        settings.changes() == Changes.ROWS
            ? null
            : new RowChange(type, snapshot.sequenceNumber(), snapshot.snapshotId());
    parts.add(new RowsPart(shipped, input, records + 1, file, except, change));
    records += file.file().recordCount();
  }
}
