package io.rowmark.merge.record;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/** The records of a slice, one after another, in the order of the file. */
public interface RecordReader extends Closeable {

  /**
   * Moves to the next record; false at the end.
   *
   * @throws io.rowmark.formats.failure.RowmarkException SOURCE when the file cannot be read on
   */
  boolean next();

  /** The current record. */
  SourceRecord record();

  /** Place of the current record in its file, as the slice says. */
  long place();

  /** The current record as it stands in the file; null where the format has no such bytes. */
  byte @Nullable [] bytes();
}
