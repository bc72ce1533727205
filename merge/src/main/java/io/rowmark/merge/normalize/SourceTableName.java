package io.rowmark.merge.normalize;

import io.rowmark.formats.change.EnvelopeLayout;
import io.rowmark.formats.change.FieldPath;
import io.rowmark.formats.change.RecordView;

/** The name of a source table as records tell it: each part with a dot before it. */
final class SourceTableName {
  private SourceTableName() {}

  /** Empty where the record tells none. */
  static String in(RecordView record, EnvelopeLayout layout) {
    StringBuilder name = new StringBuilder();
    for (FieldPath part : layout.table()) {
      Object value = part.in(record);
      if (value != null && !value.toString().isEmpty()) {
        name.append('.').append(value);
      }
    }
    return name.toString();
  }

  /**
   * Whether a name is of a table.
   *
   * @param shorter the table's name with as much of its schema and database before it as somebody
   *     wrote
   */
  static boolean isOf(String name, String shorter) {
    return name.endsWith("." + shorter);
  }
}
