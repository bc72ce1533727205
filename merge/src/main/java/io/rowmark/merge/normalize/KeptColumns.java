package io.rowmark.merge.normalize;

import io.rowmark.merge.spec.KeptRows;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Fills the columns that a table has for the rows it keeps. They travel in the row itself: of a
 * history, a put has its time in the column of the version's start and a removal in that of its
 * end. A table that is looked at for the first time may lack them still.
 */
final class KeptColumns {
  private static final int ABSENT = -1;

  private final KeptRows kept;
  private final Set<String> names;
  private final List<String> columns;
  private final BitSet own = new BitSet();

  KeptColumns(KeptRows kept, List<Types.NestedField> columns) {
    this.kept = kept;
    this.names = kept.columns().keySet();
    this.columns = columns.stream().map(Types.NestedField::name).toList();
    names.forEach(name -> mark(at(name)));
  }

  private int at(@Nullable String name) {
    return name == null ? ABSENT : columns.indexOf(name);
  }

  private void mark(int ordinal) {
    if (ordinal != ABSENT) {
      own.set(ordinal);
    }
  }

  /** Whether no event may have a column of this name. */
  boolean reserves(String name) {
    return names.contains(name);
  }

  /** Whether this is one of the columns. */
  boolean isOwn(int ordinal) {
    return own.get(ordinal);
  }

  /** What the event rows of a removal are. */
  byte removal() {
    return kept instanceof KeptRows.Deleted ? EventRows.FLAG : EventRows.REMOVE;
  }

  /** Whether delete events hold whole rows that are to be stored. */
  boolean storesBefore() {
    return kept instanceof KeptRows.Deleted deleted && deleted.images() == KeptRows.Images.WHOLE;
  }

  /**
   * Completes a row to be stored.
   *
   * @param time of the event; null when it tells none
   * @throws RecordRejected when a version cannot begin without a time
   */
  void put(@Nullable Object[] values, BitSet unavailable, @Nullable Instant time) {
    unavailable.andNot(own);
    if (kept instanceof KeptRows.Deleted deleted) {
      set(values, deleted.flag(), false);
      set(values, deleted.at(), null);
    } else if (kept instanceof KeptRows.Versions versions) {
      int column = at(versions.time());
      boolean looking = at(versions.names().from()) == ABSENT;
      Instant since = versions.time() == null || looking ? time : instant(column, values);
      set(values, versions.names().from(), looking ? null : required(since, versions));
      set(values, versions.names().to(), null);
      set(values, versions.names().current(), true);
    }
  }

  /**
   * Completes the row of a removal.
   *
   * @param put values of the row that the same event stores under another key; null for none
   */
  void remove(
      @Nullable Object[] values,
      BitSet unavailable,
      @Nullable Instant time,
      @Nullable Object @Nullable [] put) {
    if (kept instanceof KeptRows.Deleted deleted) {
      unavailable.andNot(own);
      set(values, deleted.flag(), true);
      set(values, deleted.at(), time);
    } else if (kept instanceof KeptRows.Versions versions) {
      int from = at(versions.names().from());
      Instant since = put == null || from == ABSENT ? time : (Instant) put[from];
      set(values, versions.names().to(), from == ABSENT ? null : required(since, versions));
    }
  }

  private void set(@Nullable Object[] values, @Nullable String name, @Nullable Object value) {
    int at = at(name);
    if (at != ABSENT) {
      values[at] = value;
    }
  }

  private static Instant required(@Nullable Instant time, KeptRows.Versions versions) {
    if (time == null) {
      String column = versions.time();
      throw new RecordRejected(
          "time-missing",
          column == null ? "" : column,
          "the event tells no time at which a version could begin or end");
    }
    return time;
  }

  private static @Nullable Instant instant(int column, @Nullable Object[] values) {
    Object value = column == ABSENT ? null : values[column];
    if (value instanceof LocalDate date) {
      return date.atStartOfDay(ZoneOffset.UTC).toInstant();
    } else if (value instanceof LocalDateTime time) {
      return time.toInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }
    return value instanceof Instant time ? time.truncatedTo(ChronoUnit.MICROS) : null;
  }
}
