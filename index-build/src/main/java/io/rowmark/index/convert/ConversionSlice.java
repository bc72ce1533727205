package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.DeleteFileSet;

/**
 * What one commit of a conversion does: some data files with all deletes that apply to them, and
 * the delete files that no data file needs any more when these are done.
 *
 * @param work the files to take and the delete files to remove
 * @param progress after the commit
 * @param left data files that later commits have to take
 * @param leftBytes of these data files
 */
record ConversionSlice(ConversionPlan work, ConversionProgress progress, int left, long leftBytes) {

  /**
   * Plans the next slice from the table as it was loaded; empty when nothing is to be done.
   *
   * @param upTo sequence number of the newest deletes that are meant: a table that is written all
   *     the time is never free of deletes
   * @param maxBytes of data files; one file is taken in any case
   */
  static Optional<ConversionSlice> next(Table table, DeleteFormat to, long upTo, long maxBytes) {
    Snapshot base = table.currentSnapshot();
    ConversionPlan all = ConversionPlan.of(table, base, to, EnumSet.allOf(DeleteFormat.class));
    boolean meant = all.replaced().stream().anyMatch(one -> LiveFile.addedAt(one) <= upTo);
    if (base == null || !meant) {
      return Optional.empty();
    }
    Optional<ConversionProgress> former = ConversionProgress.of(table);
    List<LiveFile> pending =
        all.files().stream()
            .filter(file -> kinds(file, to).stream().anyMatch(one -> !covered(former, file, one)))
            .sorted(Comparator.comparing(file -> FilePlace.of(file.file())))
            .toList();
    List<LiveFile> open = former.map(round -> awaited(round, pending, to)).orElse(List.of());
    ConversionProgress round =
        open.isEmpty() ? ConversionProgress.begin(to, base) : former.orElseThrow();
    List<LiveFile> files = prefix(open.isEmpty() ? pending : open, maxBytes);
    if (!files.isEmpty()) {
      round = round.to(FilePlace.of(files.get(files.size() - 1).file()));
    }
    Set<String> taken = paths(files);
    List<LiveFile> left = pending.stream().filter(file -> !taken.contains(file.path())).toList();
    ConversionPlan work = new ConversionPlan(to, base, files, removable(all, left, former));
    return Optional.of(new ConversionSlice(work, round, left.size(), bytes(left)));
  }

  private static boolean covered(
      Optional<ConversionProgress> former, LiveFile file, DeleteFile delete) {
    return former.filter(progress -> progress.covers(file.file(), delete)).isPresent();
  }

  private static List<LiveFile> awaited(
      ConversionProgress round, List<LiveFile> pending, DeleteFormat to) {
    return pending.stream()
        .filter(file -> kinds(file, to).stream().anyMatch(one -> round.awaits(file.file(), one)))
        .toList();
  }

  private static List<LiveFile> prefix(List<LiveFile> files, long maxBytes) {
    List<LiveFile> taken = new ArrayList<>();
    long bytes = 0;
    for (LiveFile file : files) {
      bytes += file.file().fileSizeInBytes();
      if (!taken.isEmpty() && bytes > maxBytes) {
        break;
      }
      taken.add(file);
    }
    return taken;
  }

  /** A delete file stays as long as one data file needs it. */
  private static List<DeleteFile> removable(
      ConversionPlan all, List<LiveFile> left, Optional<ConversionProgress> former) {
    DeleteFileSet needed = DeleteFileSet.create();
    for (LiveFile file : left) {
      for (DeleteFile delete : kinds(file, all.to())) {
        if (!covered(former, file, delete)) {
          needed.add(delete);
        }
      }
    }
    return all.replaced().stream().filter(delete -> !needed.contains(delete)).toList();
  }

  private static List<DeleteFile> kinds(LiveFile file, DeleteFormat to) {
    return file.deletes().stream()
        .filter(delete -> DeleteFormat.of(delete).compareTo(to) < 0)
        .toList();
  }

  private static Set<String> paths(List<LiveFile> files) {
    Set<String> paths = new HashSet<>();
    files.forEach(file -> paths.add(file.path()));
    return paths;
  }

  private static long bytes(List<LiveFile> files) {
    return files.stream().mapToLong(file -> file.file().fileSizeInBytes()).sum();
  }
}
