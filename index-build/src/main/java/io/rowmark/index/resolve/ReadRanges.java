package io.rowmark.index.resolve;

import java.io.Serializable;

/**
 * How reads of one file are put together.
 *
 * @param tailBytes read at once from the end of a file, where the footer and, in a small file,
 *     everything else is
 * @param maxGapBytes bytes between two wanted ranges that are read along rather than asked for
 *     separately. A request costs about 10 kB on a local disk and 2 MB on an object store
 */
public record ReadRanges(int tailBytes, int maxGapBytes) implements Serializable {
  /** Fits both: few requests, and little read in vain by a batch of few keys. */
  public static final ReadRanges DEFAULT = new ReadRanges(64 << 10, 64 << 10);
}
