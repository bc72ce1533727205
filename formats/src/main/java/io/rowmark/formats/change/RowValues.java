package io.rowmark.formats.change;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What the values of an envelope's rows are.
 *
 * @param form how values are written
 * @param absent what a column means that an update does not name
 * @param missingFlagSuffix a column is left unchanged where a member of its name with this suffix
 *     is true, as GoldenGate's {@code _isMissing}; null for none
 * @param types where the types of the columns are told
 * @param typesPath where {@link Types#MYSQL} finds its map from column to type; null otherwise
 * @param zeroDates what MySQL's dates of zeros become
 */
public record RowValues(
    Form form,
    Absent absent,
    @Nullable String missingFlagSuffix,
    Types types,
    @Nullable FieldPath typesPath,
    ZeroDates zeroDates)
    implements Serializable {

  /** How values are written. */
  public enum Form {
    /** As the column's source type says; text is no number and no date. */
    TYPED,
    /** Numbers, booleans, dates and timestamps may be text; the column's type tells. */
    TEXT
  }

  /** What a column means that an update does not name. */
  public enum Absent {
    /** It is null, or has the column's initial default. */
    EMPTY,
    /** It is as it was. */
    UNCHANGED
  }

  /** Where the types of columns are told. */
  public enum Types {
    /** In the file's own schema, where the format has one. */
    NONE,
    /** Also in a Kafka Connect schema beside the value. */
    CONNECT_SCHEMA,
    /** In a map from column to MySQL type in each record. */
    MYSQL
  }

  /** What MySQL's dates of zeros become. */
  public enum ZeroDates {
    REJECT,
    EMPTY
  }
}
