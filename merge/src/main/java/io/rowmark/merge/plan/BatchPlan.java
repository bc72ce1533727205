package io.rowmark.merge.plan;

import java.util.List;

/**
 * What the next batch of a pipeline would do.
 *
 * @param protocol how it is committed
 * @param protocolReason why so, for people
 */
public record BatchPlan(
    String pipeline, String protocol, String protocolReason, List<PlannedTable> tables) {
  public BatchPlan {
    tables = List.copyOf(tables);
  }

  /**
   * One table of the batch.
   *
   * @param inputFiles landed and not taken yet, as many as one batch takes
   * @param inputBytes of these, as stored
   */
  public record PlannedTable(TablePlan plan, int inputFiles, long inputBytes, IndexReads index) {}
}
