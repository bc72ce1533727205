package io.rowmark.merge.resolve;

import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.resolve.LookupCost;
import io.rowmark.index.resolve.LookupEstimate;

/**
 * What resolving one table read of its index.
 *
 * @param way how
 * @param files index files opened
 * @param pages pages of the first key column decoded; 0 where Spark scanned
 * @param requests ranged reads; 0 where Spark scanned
 * @param bytes of index files, deletes not counted; where Spark scanned, the most it can have been
 * @param estimated the bytes that were expected beforehand
 * @param whole bytes of all index files
 */
public record LookupReads(
    Way way, int files, long pages, long requests, long bytes, long estimated, long whole) {
  /** Nothing was to be looked up. */
  public static final LookupReads NONE = new LookupReads(Way.NONE, 0, 0, 0, 0, 0, 0);

  /** How keys were looked up. */
  public enum Way {
    /** Not at all. */
    NONE,
    /** Only pages that can hold wanted keys were read. */
    PAGES,
    /** Spark joined the changes with the index. */
    SCAN
  }

  static LookupReads ofPages(LookupEstimate estimate, LookupCost cost) {
    return new LookupReads(
        Way.PAGES,
        cost.files(),
        cost.keyPages(),
        cost.reads().count(),
        cost.reads().bytes(),
        estimate.bytes(),
        estimate.all().bytes());
  }

  static LookupReads ofScan(LiveFiles index) {
    long bytes = index.bytes();
    return new LookupReads(Way.SCAN, index.all().size(), 0, 0, bytes, bytes, bytes);
  }
}
