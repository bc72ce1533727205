package io.rowmark.merge.normalize;

import io.rowmark.formats.change.ChangeOp;
import io.rowmark.formats.change.RowValues.Absent;
import io.rowmark.formats.type.SourceType.SourceField;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one input record is. */
sealed interface Parsed {

  /**
   * A change.
   *
   * @param before row before; null when absent
   * @param after row after; null when absent; {@link LeftOut} stands for values left out
   * @param movedFrom the row before a change of its key, with the old key at least; null when the
   *     key is the same
   * @param fields types of the row's columns; null when the event carries none
   * @param order encoded order in the source; null when the source gives none
   * @param absent what columns mean that {@code after} does not name
   * @param time when it happened in the source; null when the event does not tell
   */
  record Event(
      ChangeOp op,
      @Nullable Map<String, @Nullable Object> before,
      @Nullable Map<String, @Nullable Object> after,
      @Nullable Map<String, @Nullable Object> movedFrom,
      @Nullable List<SourceField> fields,
      byte @Nullable [] order,
      Absent absent,
      @Nullable Instant time)
      implements Parsed {}

  /**
   * The row before an update that a record of its own tells.
   *
   * @param removal of the row of its key
   * @param reason that the record is counted under, as one that is left out
   */
  record Former(Event removal, String reason) implements Parsed {}

  /** A record that is no change and means nothing for the table, as a transaction marker. */
  record Skip(String reason) implements Parsed {}

  /** A record that cannot be understood. */
  record Bad(String code, String reason) implements Parsed {}
}
