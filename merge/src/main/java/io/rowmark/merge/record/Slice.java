package io.rowmark.merge.record;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A part of an input that one task reads: of a file, or of a snapshot of a source table.
 *
 * @param path where to read it
 * @param name the input's name in the ledger
 * @param file rank of the input in arrival order
 * @param start first byte as stored
 * @param length bytes as stored
 * @param place how records are numbered
 * @param startOffset topic offset of the file's first record; negative if its name has none
 * @param portion which of its changes are taken
 * @param rows what to read of a source table; null for a part of a file
 */
public record Slice(
    String path,
    String name,
    int file,
    long start,
    long length,
    Place place,
    long startOffset,
    Portion portion,
    @Nullable RowsPart rows)
    implements Serializable {

  /** A part of a file, of which all is taken. */
  public Slice(
      String path, String name, int file, long start, long length, Place place, long startOffset) {
    this(path, name, file, start, length, place, startOffset, Portion.WHOLE, null);
  }

  /** Rows of a source table. */
  public static Slice of(String name, RowsPart rows) {
    return new Slice(
        rows.rows().path(),
        name,
        rows.input(),
        0,
        rows.bytes(),
        Place.RECORD_NUMBER,
        -1,
        Portion.WHOLE,
        rows);
  }

  /** The same part, of which a portion is taken. */
  public Slice take(Portion taken) {
    return new Slice(path, name, file, start, length, place, startOffset, taken, rows);
  }

  /** The file's name without its folders. */
  public String fileName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** How the place of a record in its file is told; one way for all slices of a file. */
  public enum Place {
    /** 1 for the first record: the file is read as a whole. */
    RECORD_NUMBER,
    /** Byte at which the record starts: the file is read in parts. */
    BYTE,
    /** 1 for the first line: people look for it in the file, which is read as a whole. */
    LINE
  }
}
