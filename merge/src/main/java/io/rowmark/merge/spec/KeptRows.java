package io.rowmark.merge.spec;

import io.rowmark.formats.index.VersionColumns;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** What a table keeps of rows that are changed or deleted, and in which columns of its own. */
public sealed interface KeptRows extends Serializable {

  /** Nothing. */
  None NONE = new None();

  /** Nothing: a row is what the source has now. */
  record None() implements KeptRows {
    @Override
    public Map<String, Type> columns() {
      return Map.of();
    }
  }

  /**
   * Deleted rows, with a flag.
   *
   * @param flag boolean column, true of deleted rows
   * @param at column for the time of the deletion; null for none
   */
  record Deleted(String flag, @Nullable String at, Images images) implements KeptRows {
    @Override
    public Map<String, Type> columns() {
      Map<String, Type> columns = new LinkedHashMap<>();
      columns.put(flag, Types.BooleanType.get());
      if (at != null) {
        columns.put(at, Types.TimestampType.withZone());
      }
      return columns;
    }
  }

  /** What a delete event tells of its row. */
  enum Images {
    /** The key. All other values, if there are any, may be stand-ins. */
    KEY,
    /** The row as it was. */
    WHOLE
  }

  /**
   * All versions of each row.
   *
   * @param names of the columns that tell versions apart
   * @param time column that says since when a row is as it is; null for the time of the event
   */
  record Versions(VersionColumns names, @Nullable String time) implements KeptRows {
    @Override
    public Map<String, Type> columns() {
      Map<String, Type> columns = new LinkedHashMap<>();
      columns.put(names.from(), Types.TimestampType.withZone());
      columns.put(names.to(), Types.TimestampType.withZone());
      String current = names.current();
      if (current != null) {
        columns.put(current, Types.BooleanType.get());
      }
      return columns;
    }
  }

  /** The columns that the table has for it, in order; no event may fill them. */
  Map<String, Type> columns();

  /** Whether the row that the table holds must be found before it is changed. */
  default boolean needsLookup() {
    return this instanceof Versions
        || (this instanceof Deleted deleted && deleted.images() == Images.KEY);
  }
}
