package io.rowmark.merge.spec;

/**
 * The index tables of a pipeline.
 *
 * @param suffix appended to a data table's name
 * @param order whether the order of each key's last change is kept
 * @param mergeRuns how many small index files there must be for a batch to merge them first; 0 for
 *     never
 */
public record IndexSpec(String suffix, Order order, int mergeRuns) {
  /** A lookup that opens as many small files takes about as long as one batch. */
  public static final int DEFAULT_MERGE_RUNS = 16;

  /** Whether entries remember the order of the change they came from. */
  public enum Order {
    /** Late changes of later batches lose; deleted keys stay as tombstones. */
    KEPT,
    /** The last batch wins; deleted keys leave no trace. */
    NOT_KEPT
  }
}
