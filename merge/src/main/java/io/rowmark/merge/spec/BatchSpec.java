package io.rowmark.merge.spec;

/**
 * How much one batch takes, and where it is worked on.
 *
 * @param maxFiles input files, or snapshots of a source table, per table and batch, at least 1
 * @param maxBytes input bytes per table and batch as stored; one input is always taken
 * @param maxRecords records per table and batch, at least 1, {@link #ALL_RECORDS} for no limit; one
 *     input is always taken
 * @param driverEvents most events of a table's batch that the driver works on itself, without Spark
 *     jobs; 0 for never
 */
public record BatchSpec(int maxFiles, long maxBytes, long maxRecords, int driverEvents) {
  /** As a limit: records need not be counted. */
  public static final long ALL_RECORDS = Long.MAX_VALUE;

  /**
   * Above this a batch gains from more cores than the driver has, and its events may not fit into
   * the driver's memory.
   */
  public static final int DEFAULT_DRIVER_EVENTS = 50_000;

  /** Without a limit of records. */
  public BatchSpec(int maxFiles, long maxBytes, int driverEvents) {
    this(maxFiles, maxBytes, ALL_RECORDS, driverEvents);
  }

  /** Whether the records of inputs have to be counted. */
  public boolean limitsRecords() {
    return maxRecords != ALL_RECORDS;
  }

  /**
   * Whether a batch that took some inputs leaves the next one.
   *
   * @param bytes of all, with the next one
   */
  public boolean isFull(int taken, long bytes) {
    return taken > 0 && (taken >= maxFiles || bytes > maxBytes);
  }
}
