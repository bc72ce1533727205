package io.rowmark.index.rewrite;

import io.rowmark.formats.position.LiveFile;
import io.rowmark.formats.position.LiveFiles;
import io.rowmark.formats.upkeep.FileDebt;
import io.rowmark.formats.upkeep.ReadLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.actions.BinPackRewriteFilePlanner;
import org.apache.iceberg.actions.RewriteFileGroup;
import org.apache.iceberg.actions.SizeBasedFileRewritePlanner;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.PropertyUtil;
import org.jspecify.annotations.Nullable;

/**
 * Which data files of a snapshot are to go, and which are to become fewer. Made from manifests by
 * Iceberg's own planner.
 *
 * @param base the snapshot; null for a table without one, of which nothing is to be done
 * @param dead data files without a live row
 * @param needless delete files that apply to no data file, or to dead ones only
 * @param groups data files to rewrite
 * @param kept the other data files
 */
public record RewritePlan(
    @Nullable Snapshot base,
    List<LiveFile> dead,
    int needless,
    List<FileGroup> groups,
    List<LiveFile> kept) {
  public RewritePlan {
    dead = List.copyOf(dead);
    groups = List.copyOf(groups);
    kept = List.copyOf(kept);
  }

  /** Plans from the table as loaded. */
  public static RewritePlan of(Table table, RewriteRules rules) {
    Snapshot base = table.currentSnapshot();
    if (base == null) {
      return new RewritePlan(null, List.of(), 0, List.of(), List.of());
    }
    Map<String, LiveFile> left = new LinkedHashMap<>();
    List<LiveFile> dead = new ArrayList<>();
    for (LiveFile live : LiveFiles.at(table, base).all()) {
      if (FileDebt.of(live).isDead()) {
        dead.add(live);
      } else {
        left.put(live.path(), live);
      }
    }
    int needless = NeedlessDeletes.of(table, base, left.values()).size();
    List<FileGroup> groups = new Grouping(table, base, rules).groups(left);
    groups.forEach(group -> group.files().forEach(live -> left.remove(live.path())));
    return new RewritePlan(base, dead, needless, groups, List.copyOf(left.values()));
  }

  /** What a scan reads once all is done, if nobody writes meanwhile. */
  public ReadLoad predicted() {
    ReadLoad load = ReadLoad.of(kept);
    for (FileGroup group : groups) {
      load = load.plus(group.predicted());
    }
    return load;
  }

  /** Whether files can go without any being rewritten. */
  public boolean hasWaste() {
    return !dead.isEmpty() || needless > 0;
  }

  public boolean isEmpty() {
    return !hasWaste() && groups.isEmpty();
  }

  /** The groups with a file that was in the table at some time. */
  public List<FileGroup> groupsUpTo(long sequenceNumber) {
    return groups.stream()
        .filter(
            group ->
                group.files().stream()
                    .anyMatch(live -> LiveFile.addedAt(live.file()) <= sequenceNumber))
        .toList();
  }

  /** Iceberg's planner, asked without the dead files in mind. */
  private record Grouping(Table table, Snapshot base, RewriteRules rules) {

    List<FileGroup> groups(Map<String, LiveFile> files) {
      BinPackRewriteFilePlanner planner =
          new BinPackRewriteFilePlanner(
              table, Expressions.alwaysTrue(), base.snapshotId(), true /* case-sensitive */);
      planner.init(
          Map.of(
              SizeBasedFileRewritePlanner.MIN_INPUT_FILES,
              Integer.toString(rules.fewestFiles()),
              SizeBasedFileRewritePlanner.MAX_FILE_GROUP_SIZE_BYTES,
              Long.toString(Math.max(rules.groupBytes(), target())),
              BinPackRewriteFilePlanner.DELETE_RATIO_THRESHOLD,
              Double.toString(rules.deadShare())));
      List<FileGroup> groups = new ArrayList<>();
      try (CloseableIterable<RewriteFileGroup> planned = planner.plan().groups()) {
        for (RewriteFileGroup group : planned) {
          List<LiveFile> members = members(group, files);
          if (isWorthwhile(members)) {
            groups.add(
                new FileGroup(
                    groups.size(),
                    members,
                    outputs(members, group.maxOutputFileSize()),
                    group.maxOutputFileSize()));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot plan the data files of " + table.name(), e);
      }
      return groups;
    }

    private long target() {
      return PropertyUtil.propertyAsLong(
          table.properties(),
          TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
          TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    }

    private static List<LiveFile> members(RewriteFileGroup group, Map<String, LiveFile> files) {
      List<LiveFile> members = new ArrayList<>();
      for (FileScanTask task : group.fileScanTasks()) {
        LiveFile live = files.get(task.file().location());
        if (live != null) {
          members.add(live);
        }
      }
      return members;
    }

    /** Still so without the dead files. */
    private boolean isWorthwhile(List<LiveFile> members) {
      long bytes = members.stream().mapToLong(live -> live.file().fileSizeInBytes()).sum();
      return members.size() >= Math.max(2, rules.fewestFiles())
          || (members.size() > 1 && bytes > target())
          || members.stream().anyMatch(live -> FileDebt.of(live).share() >= rules.deadShare())
          || bytes > (long) (target() * SizeBasedFileRewritePlanner.MAX_FILE_SIZE_DEFAULT_RATIO);
    }

    private int outputs(List<LiveFile> members, long largest) {
      long bytes = ReadLoad.of(members).liveBytes();
      return bytes <= largest ? 1 : (int) ((bytes + target() - 1) / target());
    }
  }
}
