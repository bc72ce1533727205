package io.rowmark.merge.plan;

/**
 * What a batch reads of an index at the most. Less where its keys lie close together: files and row
 * groups outside their range are left out.
 */
public record IndexReads(int files, long bytes) {
  public static final IndexReads NONE = new IndexReads(0, 0);
}
