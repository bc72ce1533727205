package io.rowmark.index;

/** Whether an index may be used for its data table as both are now. */
public sealed interface Freshness {

  /** It covers the data table's current snapshot. */
  record Fresh(IndexState index) implements Freshness {}

  /** There is no index table. */
  record Missing() implements Freshness {}

  /**
   * There is one, but it describes something else.
   *
   * @param reason part of a sentence whose subject is the index: "it covers snapshot 1 …"
   */
  record Stale(IndexState index, String reason) implements Freshness {}
}
