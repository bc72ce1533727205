package io.rowmark.merge.spec;

/** How a table's user wants deleted rows to be recorded (Iceberg table spec, "Delete Formats"). */
public enum WantedDeletes {
  /** By position, in the way of the table's format version. */
  AUTO,
  /**
   * By key values: no index and no lookup. Events must hold whole rows, and the last batch wins.
   */
  EQUALITY,
  /** Position delete files; the table must be of format version 2. */
  POSITION,
  /** Deletion vectors; the table must be of format version 3. */
  DELETION_VECTOR
}
