package io.rowmark.formats.audit;

/**
 * Rows that are in data files but deleted, as far as manifests prove it.
 *
 * <p>Exact for a data file that only a deletion vector applies to: its record count is its
 * cardinality. Exact for one position delete file that names one data file, as writers repeat no
 * position in a file. Of several such files, positions may overlap: at least the largest, at most
 * the sum. Of equality deletes and of position deletes that span files the manifests do not say
 * which rows they hit: between none and all.
 *
 * @param atLeast rows that are surely dead
 * @param atMost rows that may be dead
 * @param deadFiles data files whose every row is surely dead
 * @param unprovenFiles data files of which the number of dead rows is not known exactly
 */
public record DeadRows(long atLeast, long atMost, long deadFiles, long unprovenFiles) {

  /** Whether the number of dead rows is known. */
  public boolean isExact() {
    return atLeast == atMost;
  }
}
