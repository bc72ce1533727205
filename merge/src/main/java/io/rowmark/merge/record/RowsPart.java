package io.rowmark.merge.record;

import io.rowmark.formats.position.LiveFile;
import java.io.Serializable;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one data file of a source table that are records of one input.
 *
 * @param table the source table as shipped to executors; one instance for all parts
 * @param input rank of the input among those of the batch
 * @param firstRecord number of the file's first row in the input, the deleted ones counted
 * @param rows the file, with the deletes at the snapshot whose live rows are read
 * @param except the same file with other deletes, whose live rows are left out; null for none
 * @param change what the rows say of a change; null where they are changes themselves
 */
public record RowsPart(
    Table table,
    int input,
    long firstRecord,
    LiveFile rows,
    @Nullable LiveFile except,
    @Nullable RowChange change)
    implements Serializable {

  /**
   * What a snapshot did to the rows.
   *
   * @param ordinal sequence number of the snapshot, which only grows in the life of a table
   */
  public record RowChange(Type type, long ordinal, long snapshot) implements Serializable {}

  /** As Iceberg's changelog names them. */
  public enum Type {
    INSERT,
    DELETE
  }

  /** Bytes to be read, about. */
  public long bytes() {
    return rows.file().fileSizeInBytes();
  }
}
