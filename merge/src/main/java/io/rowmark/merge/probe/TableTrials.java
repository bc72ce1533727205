package io.rowmark.merge.probe;

import static io.rowmark.merge.probe.Trial.notTried;
import static io.rowmark.merge.probe.Trial.wrong;
import static io.rowmark.merge.probe.Trial.yes;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.merge.probe.Trial.Seen;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.TableIdentifier;

/** What a catalog takes and keeps in one table. */
record TableTrials(ScratchTables scratch) {
  private static final String PROPERTY = "rowmark.probe";

  List<Finding> run() {
    return List.of(
        Trial.observe(Experiment.CREATE_V2, () -> create(2)),
        Trial.observe(Experiment.CREATE_V3, () -> create(3)),
        Trial.observe(Experiment.POSITION_DELETES, () -> deletes(2, DeleteFormat.POSITION)),
        Trial.observe(Experiment.EQUALITY_DELETES, () -> deletes(2, DeleteFormat.EQUALITY)),
        Trial.observe(Experiment.DELETION_VECTORS, () -> deletes(3, DeleteFormat.DELETION_VECTOR)),
        Trial.observe(Experiment.SNAPSHOT_PROPERTIES, this::snapshotProperties),
        Trial.observe(Experiment.TABLE_PROPERTIES, this::tableProperties));
  }

  private Seen create(int version) {
    int got = version(scratch.create("v" + version, version));
    return got == version
        ? yes("created, and loaded with that version")
        : wrong("created without complaint as format version " + got);
  }

  private int version(TableIdentifier name) {
    return TableUtil.formatVersion(scratch.load(name));
  }

  private Seen deletes(int version, DeleteFormat format) throws IOException {
    TableIdentifier name = scratch.create(format.name().toLowerCase(Locale.ROOT), version);
    int got = version(name);
    if (got != version) {
      return notTried(
          "asked for a table of format version %d, got one of version %d".formatted(version, got));
    }
    Table table = scratch.load(name);
    DataFile data = ScratchFiles.data(table, 1, 2, 3);
    table.newAppend().appendFile(data).commit();
    DeleteFile delete = ScratchFiles.delete(table, format, data.location(), 1);
    table
        .newRowDelta()
        .validateFromSnapshot(table.currentSnapshot().snapshotId())
        .addDeletes(delete)
        .commit();
    Table seen = scratch.load(name);
    List<DeleteFile> there = ScratchFiles.live(seen, data.location()).deletes();
    if (there.size() != 1 || !isOf(format, there.get(0))) {
      return wrong("accepted, but the table has %d such files".formatted(there.size()));
    }
    List<Long> ids = ScratchFiles.ids(seen);
    return ids.equals(List.of(2L, 3L))
        ? yes("committed, and read back with its row gone")
        : wrong("accepted, but %d of 2 rows are read back".formatted(ids.size()));
  }

  private static boolean isOf(DeleteFormat format, DeleteFile file) {
    return switch (format) {
      case EQUALITY -> file.content() == FileContent.EQUALITY_DELETES;
      case POSITION ->
          file.content() == FileContent.POSITION_DELETES && file.format() != FileFormat.PUFFIN;
      case DELETION_VECTOR -> file.format() == FileFormat.PUFFIN;
    };
  }

  /** Rowmark finds its batches by them. */
  private Seen snapshotProperties() throws IOException {
    TableIdentifier name = scratch.create("snapshot_properties", 2);
    Table table = scratch.load(name);
    AppendFiles append = table.newAppend().appendFile(ScratchFiles.data(table, 1));
    append.set(PROPERTY, "kept").commit();
    Snapshot snapshot = scratch.load(name).currentSnapshot();
    if (snapshot == null) {
      return wrong("the append was accepted, but the table has no snapshot");
    }
    String kept = snapshot.summary().get(PROPERTY);
    return "kept".equals(kept) ? yes("found again") : wrong("accepted, but the property is gone");
  }

  private Seen tableProperties() {
    String later = PROPERTY + ".later";
    TableIdentifier name = scratch.create("table_properties", 2, Map.of(PROPERTY, "kept"));
    scratch.load(name).updateProperties().set(later, "kept").commit();
    Map<String, String> properties = scratch.load(name).properties();
    List<String> lost =
        List.of(PROPERTY, later).stream()
            .filter(key -> !"kept".equals(properties.get(key)))
            .map(key -> key.equals(later) ? "set later" : "set at creation")
            .toList();
    return lost.isEmpty()
        ? yes("found again, set at creation and later")
        : wrong("accepted, but gone: the one " + String.join(", and the one ", lost));
  }
}
