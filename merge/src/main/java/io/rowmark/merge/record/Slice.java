package io.rowmark.merge.record;

import java.io.Serializable;

/**
 * A part of an input file that one task reads.
 *
 * @param path where to read it
 * @param name the file's name in the ledger
 * @param file rank of the file in arrival order
 * @param start first byte as stored
 * @param length bytes as stored
 * @param place how records are numbered
 * @param startOffset topic offset of the file's first record; negative if its name has none
 */
public record Slice(
    String path, String name, int file, long start, long length, Place place, long startOffset)
    implements Serializable {

  /** The file's name without its folders. */
  public String fileName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** How the place of a record in its file is told; one way for all slices of a file. */
  public enum Place {
    /** 1 for the first record: the file is read as a whole. */
    RECORD_NUMBER,
    /** Byte at which the record starts: the file is read in parts. */
    BYTE
  }
}
