package io.rowmark.formats.change;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a record has its rows.
 *
 * @param before the row of a delete; its key columns suffice
 * @param after the row of every other change
 * @param previous values that an update replaced, where they tell a change of key; null where the
 *     source writes a change of key as a delete and an insert
 * @param previousPrefix as {@code previous}, for values that stand beside the new ones under names
 *     with this prefix; null for none
 * @param count whether {@code before} and {@code after} are one row or a list of rows
 * @param exclude members of a row that are no columns: names, or beginnings of names with a star
 *     behind
 * @param leading names of the fields that a file without header has before the table's own
 * @param leadingIn which records have them
 * @param carryOvers what a delete and an insert of the same row mean
 */
public record RowImages(
    @Nullable FieldPath before,
    @Nullable FieldPath after,
    @Nullable FieldPath previous,
    @Nullable String previousPrefix,
    Count count,
    List<String> exclude,
    List<String> leading,
    LeadingIn leadingIn,
    CarryOvers carryOvers)
    implements Serializable {

  /** How many rows a record has. */
  public enum Count {
    ONE,
    MANY
  }

  /** Which records of files without header have the leading fields. */
  public enum LeadingIn {
    ALL,
    /** Those with more fields than the table. */
    LONGER
  }

  /** What a delete and an insert of the same row mean, next to each other in the order. */
  public enum CarryOvers {
    /** Two changes like any others. */
    KEEP,
    /** No change: deletes hold whole rows, and whoever copied a file wrote both. */
    DROP
  }

  public RowImages {
    exclude = List.copyOf(exclude);
    leading = List.copyOf(leading);
  }

  /** Whether a member of a row is a column. */
  public boolean isColumn(String name) {
    for (String pattern : exclude) {
      boolean same =
          pattern.endsWith("*")
              ? name.startsWith(pattern.substring(0, pattern.length() - 1))
              : name.equals(pattern);
      if (same) {
        return false;
      }
    }
    return true;
  }
}
