package io.rowmark.merge.plan;

/**
 * What a batch is expected to read of an index.
 *
 * @param files index files opened
 * @param bytes of these files
 * @param wholeFiles all files of the index
 * @param wholeBytes their bytes
 * @param basis what the expectation rests on
 */
public record IndexReads(int files, long bytes, int wholeFiles, long wholeBytes, Basis basis) {
  public static final IndexReads NONE = new IndexReads(0, 0, 0, 0, Basis.NOTHING);

  /** Where an expectation comes from. */
  public enum Basis {
    /** There is no index, or no input. */
    NOTHING,
    /** The keys of the waiting input: only pages that can hold them are read. */
    WAITING_KEYS,
    /** The input is too large to look at: Spark reads the index as a whole, if need be. */
    WHOLE_INDEX
  }
}
