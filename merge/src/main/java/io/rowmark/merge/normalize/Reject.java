package io.rowmark.merge.normalize;

import org.jspecify.annotations.Nullable;

/**
 * A record that cannot become a row.
 *
 * @param file name of its input file
 * @param place where in the file, see {@link Slice.Place}
 * @param code reason code, as docs/rejects.md lists them
 * @param column empty when the whole record is at fault
 * @param raw the record's bytes; null unless they are kept
 */
public record Reject(
    String file, long place, String code, String column, String reason, byte @Nullable [] raw) {

  /** Code of an event whose left-out values have no earlier row to come from. */
  public static final String UNAVAILABLE_WITHOUT_BASE = "unavailable-without-base";

  /** Code of an event whose left-out values would take a lookup that is not made. */
  public static final String UNAVAILABLE_WITHOUT_LOOKUP = "unavailable-without-lookup";

  /** One line for people, without values. */
  public String describe() {
    return "%s record %d: %s%s: %s"
        .formatted(
            file, place, code, column.isEmpty() ? "" : " in column '" + column + "'", reason);
  }
}
