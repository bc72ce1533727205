package io.rowmark.formats.change;

/** What a change event says happened to a row, or to the whole table. */
public enum ChangeOp {
  /** The row as a snapshot of the source saw it; loses to every streamed change of its key. */
  SNAPSHOT_READ,
  INSERT,
  UPDATE,
  DELETE,
  /** Every row of the table before this point is gone. */
  TRUNCATE
}
