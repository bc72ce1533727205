package io.rowmark.formats.change;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record as the rules of an envelope see it.
 *
 * @param value the change, without what wraps it
 * @param whole the record as it stands in the file; the same as {@code value} where nothing wraps
 *     it
 * @param file name of the file, without its folders
 * @param rank place of the file in arrival order, from 0
 * @param place place of the record in its file
 * @param index place of the row in a record of many rows, from 0
 */
public record RecordView(
    Map<String, @Nullable Object> value,
    Map<String, @Nullable Object> whole,
    String file,
    int rank,
    long place,
    int index) {

  /** The same record, looked at for another of its rows. */
  public RecordView at(int row) {
    return row == index ? this : new RecordView(value, whole, file, rank, place, row);
  }
}
