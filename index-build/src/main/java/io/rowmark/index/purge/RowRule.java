package io.rowmark.index.purge;

import org.apache.iceberg.data.Record;

/** What becomes of the live rows of a file that is written again. */
@FunctionalInterface
interface RowRule {
  /**
   * Whether a row stays; it may be changed.
   *
   * @param row with the table's columns first
   */
  boolean keep(Record row);
}
