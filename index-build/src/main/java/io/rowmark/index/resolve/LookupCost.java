package io.rowmark.index.resolve;

import java.io.Serializable;

/**
 * What a lookup has read.
 *
 * @param files index files opened
 * @param rowGroups row groups of which key pages were read
 * @param keyPages pages of the first key column read
 * @param placePages pages of {@code data_file} read, which are those with found entries
 * @param reads ranged reads of index files: requests on an object store
 * @param deletes delete files loaded to know which entries are hidden, with the size that the
 *     metadata gives them
 */
public record LookupCost(
    int files, int rowGroups, long keyPages, long placePages, Reads reads, Reads deletes)
    implements Serializable {

  /** Nothing read. */
  public static final LookupCost NONE =
      new LookupCost(0, 0, 0, 0, new Reads(0, 0), new Reads(0, 0));

  /** A number of reads and their bytes in all. */
  public record Reads(long count, long bytes) implements Serializable {
    Reads plus(Reads other) {
      return new Reads(count + other.count, bytes + other.bytes);
    }
  }

  public LookupCost plus(LookupCost other) {
    return new LookupCost(
        files + other.files,
        rowGroups + other.rowGroups,
        keyPages + other.keyPages,
        placePages + other.placePages,
        reads.plus(other.reads),
        deletes.plus(other.deletes));
  }
}
