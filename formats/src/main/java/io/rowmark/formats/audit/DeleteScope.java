package io.rowmark.formats.audit;

/** How far a delete file reaches (Iceberg table spec, "Scan Planning"). */
public enum DeleteScope {
  /** One data file: deletion vectors, and position delete files that name one file only. */
  FILE,
  /** The data files of one partition under the same spec. */
  PARTITION,
  /**
   * Every older data file of the table, whatever its spec: an equality delete file that was written
   * under an unpartitioned spec, in a partitioned table or not.
   */
  GLOBAL
}
