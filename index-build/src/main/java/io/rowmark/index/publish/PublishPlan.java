package io.rowmark.index.publish;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.convert.ConversionPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.DeleteFileSet;
import org.jspecify.annotations.Nullable;

/**
 * How the files of the target differ from those of the source. A difference of sets: it does not
 * matter by which operations the source came there.
 *
 * @param plain new files that no delete applies to
 * @param newFiles new files with deletes, by path; with statistics
 * @param known files of the target whose deletes must be worked out, by path
 * @param items files whose deletes must be worked out, new ones among them
 * @param gone files of the target that the source does not have
 * @param superfluous delete files of the target: by key, and those of files that are gone
 */
record PublishPlan(
    List<DataFile> plain,
    Map<String, DataFile> newFiles,
    Map<String, DataFile> known,
    List<PublishItem> items,
    List<DataFile> gone,
    Collection<DeleteFile> superfluous) {

  /**
   * @param since only what was added later is looked at; -1 for everything
   */
  static PublishPlan of(Table table, Snapshot source, @Nullable Snapshot target, long since) {
    LiveFiles shown = LiveFiles.at(table, target);
    LiveFiles wanted =
        LiveFiles.withStatistics(
            table, source, file -> shown.find(file.location()).isEmpty() && isNewer(file, since));
    List<DataFile> plain = new ArrayList<>();
    Map<String, DataFile> newFiles = new HashMap<>();
    Map<String, DataFile> knownFiles = new HashMap<>();
    List<PublishItem> items = new ArrayList<>();
    for (LiveFile live : wanted.all()) {
      LiveFile known = shown.find(live.path()).orElse(null);
      if (known != null) {
        if (mayDiffer(live, known, since)) {
          knownFiles.put(known.path(), known.file());
          items.add(new PublishItem(live, known.positionalDeletes()));
        }
      } else if (isNewer(live.file(), since)) {
        if (live.deletes().isEmpty()) {
          plain.add(live.file());
        } else {
          newFiles.put(live.path(), live.file());
          items.add(new PublishItem(live, List.of()));
        }
      }
      // else it was published before without a live row, and dead rows stay dead
    }
    DeleteFileSet superfluous = DeleteFileSet.create();
    superfluous.addAll(ConversionPlan.deletes(table, target, EnumSet.of(DeleteFormat.EQUALITY)));
    List<DataFile> gone = new ArrayList<>();
    for (LiveFile known : shown.all()) {
      if (wanted.find(known.path()).isEmpty()) {
        gone.add(known.file());
        // Iceberg itself takes a deletion vector away with its data file
        known.positionalDeletes().stream()
            .filter(delete -> ContentFileUtil.isFileScoped(delete) && !ContentFileUtil.isDV(delete))
            .forEach(superfluous::add);
      }
    }
    return new PublishPlan(plain, newFiles, knownFiles, items, gone, superfluous);
  }

  private static boolean isNewer(DataFile file, long since) {
    return LiveFile.addedAt(file) > since;
  }

  private static boolean mayDiffer(LiveFile live, LiveFile known, long since) {
    if (since < 0) {
      return !live.deletes().isEmpty() || !known.deletes().isEmpty();
    }
    // a file that was taken out and put back has other deletes than before
    return isNewer(live.file(), since)
        || live.deletes().stream().anyMatch(delete -> LiveFile.addedAt(delete) > since);
  }

  boolean isEmpty() {
    return plain.isEmpty() && items.isEmpty() && gone.isEmpty() && superfluous.isEmpty();
  }

  /** Bytes of the data files whose key values must be read. */
  long bytesToCompare() {
    return items.stream()
        .map(PublishItem::source)
        .filter(LiveFile::hasEqualityDeletes)
        .mapToLong(live -> live.file().fileSizeInBytes())
        .sum();
  }
}
