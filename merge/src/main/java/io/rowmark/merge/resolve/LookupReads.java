package io.rowmark.merge.resolve;

import io.rowmark.formats.position.LiveFiles;
import io.rowmark.index.resolve.LookupCost;
import io.rowmark.index.resolve.LookupEstimate;

/**
 * What resolving one table read of its index.
 *
 * @param files index files opened
 * @param pages pages of the first key column decoded; 0 where Spark scanned
 * @param requests ranged reads; 0 where Spark scanned
 * @param bytes of index files, deletes not counted; where Spark scanned, the most it can have been
 * @param estimated the bytes that were expected beforehand
 * @param whole bytes of all index files
 */
public record LookupReads(
    int files, long pages, long requests, long bytes, long estimated, long whole) {
  /** Nothing was to be looked up. */
  public static final LookupReads NONE = new LookupReads(0, 0, 0, 0, 0, 0);

  static LookupReads ofPages(LookupEstimate estimate, LookupCost cost) {
    return new LookupReads(
        cost.files(),
        cost.keyPages(),
        cost.reads().count(),
        cost.reads().bytes(),
        estimate.bytes(),
        estimate.all().bytes());
  }

  static LookupReads ofScan(LiveFiles index) {
    long bytes = index.bytes();
    return new LookupReads(index.all().size(), 0, 0, bytes, bytes, bytes);
  }
}
