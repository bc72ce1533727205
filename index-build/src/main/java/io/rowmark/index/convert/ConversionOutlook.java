package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ScanTaskUtil;

/**
 * What a conversion of a table as it is would do.
 *
 * @param kinds the delete files to be replaced, by kind
 * @param dataFiles data files to which they apply, those that an unfinished run took among them
 * @param rows of these data files, dead ones included
 * @param bytes of these data files
 * @param bytesToCompare of these, in files whose key values must be read
 */
public record ConversionOutlook(
    DeleteFormat to, List<Kind> kinds, int dataFiles, long rows, long bytes, long bytesToCompare) {
  public ConversionOutlook {
    kinds = List.copyOf(kinds);
  }

  /** Delete files of one kind. */
  public record Kind(DeleteFormat kind, int files, long records, long bytes) {}

  /** Looks at manifests only. */
  public static ConversionOutlook of(Table table, DeleteFormat to) {
    ConversionPlan plan =
        ConversionPlan.of(table, table.currentSnapshot(), to, EnumSet.allOf(DeleteFormat.class));
    List<Kind> kinds = new ArrayList<>();
    for (DeleteFormat kind : DeleteFormat.values()) {
      List<DeleteFile> deletes =
          plan.replaced().stream().filter(one -> DeleteFormat.of(one) == kind).toList();
      if (!deletes.isEmpty()) {
        kinds.add(
            new Kind(
                kind,
                deletes.size(),
                deletes.stream().mapToLong(DeleteFile::recordCount).sum(),
                deletes.stream().mapToLong(ScanTaskUtil::contentSizeInBytes).sum()));
      }
    }
    return new ConversionOutlook(
        to,
        kinds,
        plan.files().size(),
        plan.rows(),
        plan.files().stream().mapToLong(ConversionOutlook::bytes).sum(),
        plan.bytesToCompare());
  }

  private static long bytes(LiveFile live) {
    return live.file().fileSizeInBytes();
  }

  public boolean isEmpty() {
    return kinds.isEmpty();
  }
}
