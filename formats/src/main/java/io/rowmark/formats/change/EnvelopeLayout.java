package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An envelope as data: how a change feed writes what happened to a row. The shipped ones are {@link
 * EnvelopeLayouts}; a configuration may describe others.
 *
 * @param name for messages
 * @param table values that together name the source table, outermost first; missing ones are passed
 *     over; empty where files hold one table each
 * @param transaction how records tell their source transaction
 * @param time where a record says when its change happened; null where it does not
 */
public record EnvelopeLayout(
    String name,
    Wrapping wrapping,
    OpRule op,
    RowImages images,
    RowValues values,
    SourceOrder order,
    List<FieldPath> table,
    TransactionFields transaction,
    @Nullable EventTime time)
    implements Serializable {

  /**
   * What stands around a change.
   *
   * @param key where a record of key and value has its key; null where records are values alone
   * @param value where it has its value; a record without this member is a value itself
   * @param payload member that holds the change beside a schema; null for none
   * @param tombstones what a null value means
   */
  public record Wrapping(
      @Nullable FieldPath key,
      @Nullable FieldPath value,
      @Nullable String payload,
      Tombstones tombstones)
      implements Serializable {}

  /** What a null value means. */
  public enum Tombstones {
    /** Nothing: a delete went before. */
    SKIP,
    /** The row of its key is deleted. */
    DELETE
  }

  /**
   * How records tell which transaction of the source they are of.
   *
   * @param id where its name is; null where records do not tell
   * @param idMatch the part of the name that all records of a transaction share, as its first
   *     match; null for the whole name
   * @param number where the number of the change among those of its transaction and table is, from
   *     1; null where records do not tell
   */
  public record TransactionFields(
      @Nullable FieldPath id, @Nullable Pattern idMatch, @Nullable FieldPath number)
      implements Serializable {

    /** The shared part of a transaction's name. */
    public String shared(String name) {
      Matcher matcher = idMatch == null ? null : idMatch.matcher(name);
      return matcher != null && matcher.find() ? matcher.group() : name;
    }
  }

  public EnvelopeLayout {
    table = List.copyOf(table);
  }
}
