package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.spec.TableSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of a Delta table are still to be read; versions only grow in the life of a table.
 */
final class DeltaHistory {
  /** So many more are asked for, since the table goes on while it is asked. */
  private static final int MARGIN = 10;

  private final DeltaTable source;
  private final TableSpec target;
  private final DeltaVersion head;

  /**
   * @param head newest version
   */
  DeltaHistory(DeltaTable source, TableSpec target, DeltaVersion head) {
    this.source = source;
    this.target = target;
    this.head = head;
  }

  /**
   * The versions after one, oldest first.
   *
   * @param read version up to which the source was read
   * @param readAt time of that version when it was read; empty where it was not read but named by
   *     the user
   * @throws RowmarkException SOURCE when versions are gone that were not read, or the table is
   *     another one
   */
  List<DeltaVersion> since(long read, Optional<Instant> readAt) {
    if (read > head.number()) {
      throw isAnother(
          read, "its newest version is %d, made at %s".formatted(head.number(), head.at()));
    }
    List<DeltaVersion> known = source.newest(head.number() - read + MARGIN);
    List<DeltaVersion> unread = known.stream().filter(version -> version.number() > read).toList();
    readAt.ifPresent(time -> refuseAnother(read, time, known, unread));
    if (!unread.isEmpty() && unread.get(0).number() != read + 1) {
      throw gap(read, unread.get(0).number());
    }
    return unread;
  }

  /**
   * A table that was removed and made again counts its versions from 0 once more. Its version of
   * the number that was read has another time, and it was made after that number was read; a copy
   * of a table has other times too, but not another time at which it was made.
   */
  private void refuseAnother(
      long read, Instant readAt, List<DeltaVersion> known, List<DeltaVersion> unread) {
    boolean sameTime =
        known.stream().anyMatch(one -> one.number() == read && one.at().equals(readAt));
    if (sameTime || unread.stream().anyMatch(DeltaVersion::makesTable)) {
      return;
    }
    Instant made = source.createdAt();
    if (made != null && made.isAfter(readAt)) {
      throw isAnother(read, "it was made at " + made);
    }
  }

  private RowmarkException isAnother(long read, @Nullable String because) {
    return RowmarkException.source(
        ("Delta table %s is not the one that table %s was fed from up to version %d: %s. It was"
                + " removed and made again, or its log was set back. Feed an empty table under"
                + " another name of pipeline and ledger; or, if table %s holds all of version N of"
                + " the new one, set start-snapshot of it to N, where N is not below %d.")
            .formatted(source.name(), target.table(), read, because, target.table(), read + 1));
  }

  private RowmarkException gap(long read, long first) {
    return RowmarkException.source(
        ("Delta table %s does not tell any more what its versions %d to %d changed, and table %s was"
                + " fed up to version %d. Keep log and removed files for longer than the time"
                + " between two runs (delta.logRetentionDuration and"
                + " delta.deletedFileRetentionDuration of the source). To go on, feed an empty"
                + " table under another name of pipeline and ledger; or, if what lies between may be"
                + " missing, set start-snapshot of table %s to a version from %d on.")
            .formatted(
                source.name(),
                read + 1,
                first - 1,
                target.table(),
                read,
                target.table(),
                first - 1));
  }
}
