package io.rowmark.merge.source;

import io.rowmark.formats.failure.RowmarkException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** What becomes of the columns of a Delta table from one version to a later one. */
final class DeltaColumns {
  private static final Set<String> RESERVED =
      Set.of(
          VersionRows.CHANGE_TYPE,
          VersionRows.COMMIT_VERSION,
          VersionRows.COMMIT_TIMESTAMP,
          DeltaDifference.FILE,
          DeltaDifference.ROW);

  private final Map<String, String> before;
  private final Map<String, String> after;

  DeltaColumns(StructType before, StructType after) {
    this.before = types("", before);
    this.after = types("", after);
  }

  /**
   * Types by name, where names of nested columns have dots; lists and maps are types as a whole.
   */
  private static Map<String, String> types(String prefix, StructType struct) {
    Map<String, String> types = new TreeMap<>();
    for (StructField field : struct.fields()) {
      DataType type = field.dataType();
      String name = prefix + field.name();
      if (type instanceof StructType inner) {
        types.put(name, "struct");
        types.putAll(types(name + ".", inner));
      } else {
        types.put(name, type.sql());
      }
    }
    return types;
  }

  /** Whether rows of before can be shown under the columns of after with nothing lost. */
  boolean carryOver() {
    return before.entrySet().stream()
        .allMatch(column -> column.getValue().equals(after.get(column.getKey())));
  }

  /** Columns that are gone. */
  List<String> gone() {
    return without(before, after);
  }

  /** Columns that are new. */
  List<String> come() {
    return without(after, before);
  }

  /** Whether columns are gone and others new: only who did it knows which was which. */
  boolean mayBeRenamed() {
    return !gone().isEmpty() && !come().isEmpty();
  }

  private static List<String> without(Map<String, String> all, Map<String, String> others) {
    List<String> names = new ArrayList<>(new LinkedHashMap<>(all).keySet());
    names.removeAll(others.keySet());
    return names;
  }

  /**
   * @throws RowmarkException SOURCE when a column has a name that changes need for themselves
   */
  static void refuseReserved(String table, StructType columns) {
    for (String name : columns.fieldNames()) {
      if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
        throw RowmarkException.source(
            "Delta table %s has a column '%s', a name that Delta's change feed takes for itself. Rename the column."
                .formatted(table, name));
      }
    }
  }
}
