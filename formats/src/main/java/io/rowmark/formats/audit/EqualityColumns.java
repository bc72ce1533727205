package io.rowmark.formats.audit;

import java.util.List;

/**
 * One set of columns by which equality deletes name rows.
 *
 * @param fieldIds ascending
 * @param columns names in the table's schemas, newest first; {@code ?} where no schema has the id
 * @param tally the delete files that use this set
 */
public record EqualityColumns(List<Integer> fieldIds, List<String> columns, FileTally tally) {
  public EqualityColumns {
    fieldIds = List.copyOf(fieldIds);
    columns = List.copyOf(columns);
  }
}
