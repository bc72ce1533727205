package io.rowmark.formats.change;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds the changes of one key, given in source order, into versions of its row. Versions follow
 * one another without overlap, whatever the clocks of the source say: a change takes effect at its
 * own time or, if that lies before the last change's, with the last change. A version that would
 * last no time is not kept.
 *
 * <p>What there is to know of earlier batches is the open version and the time at which the last
 * change took effect, so that it does not matter how changes are spread over batches.
 */
public final class VersionFold {
  /** Stands for the time of the last change where there was none, or it is not known. */
  public static final long NEVER = Long.MIN_VALUE;

  /** Where a version comes from. */
  public enum Origin {
    /** It is the row that the table holds, perhaps with other values. */
    STORED,
    NEW
  }

  /**
   * A version of the row.
   *
   * @param row values, the times among them not up to date
   * @param from when it began, in microseconds since 1970
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Version(@Nullable Object[] row, long from, Origin origin) {}

  /**
   * A version that has ended.
   *
   * @param to when it ended, later than it began
   */
  public record Ended(Version version, long to) {}

  private final List<Ended> ended = new ArrayList<>();
  private @Nullable Version open;
  private long last;

  /**
   * @param stored the open version that the table holds; null for none
   * @param last when the last change took effect; {@link #NEVER} if that is not known
   */
  public VersionFold(@Nullable Version stored, long last) {
    this.open = stored;
    this.last = stored == null ? last : Math.max(last, stored.from());
  }

  /**
   * Takes a change that stores a row.
   *
   * @param unavailable values that the event left out; they are those of the open version
   * @param time when it happened
   * @return false when there is no open version to take values from; nothing is changed then
   */
  public boolean put(@Nullable Object[] row, BitSet unavailable, long time) {
    Version before = open;
    @Nullable Object[] values = row;
    if (!unavailable.isEmpty()) {
      if (before == null) {
        return false;
      }
      @Nullable Object[] filled = row.clone();
      unavailable.stream().forEach(column -> filled[column] = before.row()[column]);
      values = filled;
    }
    long at = Math.max(time, last);
    boolean replaces = before != null && before.from() == at;
    end(at);
    open = new Version(values, at, replaces && before != null ? before.origin() : Origin.NEW);
    return true;
  }

  /** Takes a change that removes the row. */
  public void remove(long time) {
    end(Math.max(time, last));
  }

  private void end(long at) {
    Version before = open;
    if (before != null && before.from() < at) {
      ended.add(new Ended(before, at));
    }
    open = null;
    last = at;
  }

  /** Versions that the changes ended, in their order; the one that the table holds may be first. */
  public List<Ended> ended() {
    return List.copyOf(ended);
  }

  /** The version that is open after all changes; null if the last one removed the row. */
  public @Nullable Version open() {
    return open;
  }

  /** When the last change took effect. */
  public long last() {
    return last;
  }
}
