package io.rowmark.index.convert;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.position.LiveFile;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * How far a conversion has come, kept in the summary of each of its commits: for every data file up
 * to a place, every row that the deletes meant hide is hidden by position as well.
 *
 * <p>Only files and deletes count that were in the table when the round began. What came later has
 * a later sequence number of its own, whatever its data sequence number says: a compaction may give
 * new files an old one, and deletes that were not converted then apply to them.
 *
 * @param to the format that the round converts to: what it says of deletes by key says nothing of
 *     position deletes that a later upgrade of the table makes convertible
 * @param through sequence number of the snapshot at which the round began
 * @param after the last place that is done
 */
record ConversionProgress(DeleteFormat to, long through, FilePlace after) {
  private static final String TO = "rowmark.convert.to";
  private static final String THROUGH = "rowmark.convert.through-sequence";
  private static final String AFTER = "rowmark.convert.after";

  /** Before every file. */
  static final FilePlace START = new FilePlace(-1, "");

  /** A round that begins with what a snapshot holds. */
  static ConversionProgress begin(DeleteFormat to, Snapshot base) {
    return new ConversionProgress(to, base.sequenceNumber(), START);
  }

  /** The newest in the history of a table's current snapshot. */
  static Optional<ConversionProgress> of(Table table) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      Map<String, String> summary = snapshot.summary();
      String after = summary.get(AFTER);
      if (after != null) {
        return Optional.of(
            new ConversionProgress(
                DeleteFormat.valueOf(Objects.requireNonNull(summary.get(TO))),
                Long.parseLong(Objects.requireNonNull(summary.get(THROUGH))),
                FilePlace.parse(after)));
      }
    }
    return Optional.empty();
  }

  Map<String, String> toSummary() {
    return Map.of(TO, to.name(), THROUGH, Long.toString(through), AFTER, after.text());
  }

  ConversionProgress to(FilePlace place) {
    return new ConversionProgress(to, through, place);
  }

  /** Whether a delete file has nothing left to say about a data file. */
  boolean covers(DataFile file, DeleteFile delete) {
    return speaksOf(file, delete) && FilePlace.of(file).compareTo(after) <= 0;
  }

  /** Whether this round still has to take a file because of a delete. */
  boolean awaits(DataFile file, DeleteFile delete) {
    return speaksOf(file, delete) && FilePlace.of(file).compareTo(after) > 0;
  }

  private boolean speaksOf(DataFile file, DeleteFile delete) {
    return began(file) && began(delete) && DeleteFormat.of(delete).compareTo(to) < 0;
  }

  private boolean began(ContentFile<?> file) {
    return LiveFile.addedAt(file) <= through;
  }
}
