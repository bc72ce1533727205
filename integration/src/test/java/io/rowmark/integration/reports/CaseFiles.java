package io.rowmark.integration.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;

/** What must hold of the live files of a table that Rowmark wrote. */
final class CaseFiles {
  private CaseFiles() {}

  /**
   * Every data file has one delete file at the most, which names it and hides some of its rows; no
   * delete file is for a data file that is not live, but those that another engine left behind when
   * it rewrote data files; and the summary's counts fit.
   *
   * @param leftBehind places of delete files that applied to nothing after another engine's commits
   */
  static void check(Table table, Set<String> leftBehind) throws IOException {
    Snapshot head = table.currentSnapshot();
    if (head == null) {
      return;
    }
    FileFormat form = TableUtil.formatVersion(table) >= 3 ? FileFormat.PUFFIN : FileFormat.PARQUET;
    Set<String> applied = new HashSet<>();
    long records = 0;
    long dead = 0;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        records += task.file().recordCount();
        assertThat(task.deletes()).as("deletes of one file").hasSizeLessThanOrEqualTo(1);
        for (DeleteFile delete : task.deletes()) {
          assertThat(delete.content()).isEqualTo(FileContent.POSITION_DELETES);
          assertThat(delete.format()).isEqualTo(form);
          assertThat(ContentFileUtil.referencedDataFile(delete))
              .asString()
              .isEqualTo(task.file().location());
          assertThat(delete.recordCount()).isBetween(1L, task.file().recordCount());
          dead += delete.recordCount();
          applied.add(place(delete));
        }
      }
    }
    assertThat(leftBehind).as("delete files that apply to nothing").containsAll(idle(table));
    assertThat(applied.size() + idle(table).size())
        .as("live delete files of %s", table.name())
        .isEqualTo(number(head, "total-delete-files"));
    assertThat(number(head, "total-records")).isEqualTo((int) records);
    if (leftBehind.isEmpty()) {
      assertThat(number(head, "total-position-deletes")).isEqualTo((int) dead);
    }
  }

  /** Places of the delete files of a table that apply to no data file. */
  static Set<String> idle(Table table) throws IOException {
    Set<String> places = new HashSet<>();
    Snapshot head = table.currentSnapshot();
    if (head == null) {
      return places;
    }
    for (ManifestFile manifest : head.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> files =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        files.forEach(file -> places.add(place(file)));
      }
    }
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> task.deletes().forEach(delete -> places.remove(place(delete))));
    }
    return places;
  }

  private static String place(DeleteFile delete) {
    return delete.location() + "#" + delete.contentOffset();
  }

  private static int number(Snapshot snapshot, String property) {
    return Integer.parseInt(snapshot.summary().getOrDefault(property, "0"));
  }
}
