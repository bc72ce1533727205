package io.rowmark.merge.spec;

import java.io.Serializable;

/** Where the changes of a pipeline are. */
public sealed interface SourcePlace extends Serializable {

  /**
   * Landed files.
   *
   * @param path folder that holds one folder per topic, any file system that Hadoop or Spark knows
   * @param cut where a batch may end
   */
  record Folder(String path, BatchCut cut) implements SourcePlace {
    /** Batches may end anywhere. */
    public Folder(String path) {
      this(path, BatchCut.ANYWHERE);
    }
  }

  /**
   * Iceberg tables of the pipeline's own catalog; the topic of a table is the name of its source
   * table.
   *
   * @param changes what of a source table the changes are
   * @param removals what a snapshot means that takes rows out of a source table of {@link
   *     Changes#ROWS}
   */
  record IcebergTables(Changes changes, Removals removals) implements SourcePlace {}

  /**
   * Delta tables; the topic of a table is the path of its source table, or the name under which
   * Spark knows it. The changes are what its versions did to its rows.
   */
  record DeltaTables() implements SourcePlace {}

  /** What of a source table the changes are. */
  enum Changes {
    /**
     * Its rows, each a change in the pipeline's envelope: the table is an append-only changelog.
     */
    ROWS,
    /** What its snapshots did to its rows. */
    SNAPSHOTS
  }

  /** What becomes of snapshots that take rows out of a changelog table. */
  enum Removals {
    /** They stop the batch. */
    FAIL,
    /** They are passed over, as those of a retention job may be. */
    IGNORE
  }
}
