package io.rowmark.index.rewrite;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.index.convert.ConversionPlan;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * Delete files that apply to no data file. Iceberg drops a vector with its data file, and leaves
 * position deletes and equality deletes where they are.
 */
final class NeedlessDeletes {
  private NeedlessDeletes() {}

  /**
   * @param files data files that stay, with the deletes that apply to them
   */
  static List<DeleteFile> of(Table table, Snapshot snapshot, Collection<LiveFile> files) {
    DeleteFileSet needed = DeleteFileSet.create();
    files.forEach(live -> needed.addAll(live.deletes()));
    return ConversionPlan.deletes(table, snapshot, EnumSet.allOf(DeleteFormat.class)).stream()
        .filter(delete -> !needed.contains(delete))
        .toList();
  }
}
