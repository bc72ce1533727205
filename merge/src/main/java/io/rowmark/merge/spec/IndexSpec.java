package io.rowmark.merge.spec;

/**
 * The index tables of a pipeline.
 *
 * @param suffix appended to a data table's name
 * @param order whether the order of each key's last change is kept
 */
public record IndexSpec(String suffix, Order order) {
  /** Whether entries remember the order of the change they came from. */
  public enum Order {
    /** Late changes of later batches lose; deleted keys stay as tombstones. */
    KEPT,
    /** The last batch wins; deleted keys leave no trace. */
    NOT_KEPT
  }
}
