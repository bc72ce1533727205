package io.rowmark.merge.plan;

import io.rowmark.formats.delete.DeleteFormat;
import org.apache.iceberg.PartitionSpec;

/** How a batch hides the old rows of one table. */
public sealed interface DeleteMode {

  /** Not at all: the table is append-only. It has no key and no index. */
  record None() implements DeleteMode {}

  /**
   * By the places that the table's index knows.
   *
   * @param format POSITION or DELETION_VECTOR
   */
  record ByPosition(DeleteFormat format) implements DeleteMode {}

  /**
   * By key values, without an index: equality deletes.
   *
   * @param spec partition spec of the delete files, one of the table's. Deletes under an
   *     unpartitioned spec reach all data files, others those of their own spec and partition
   *     (Iceberg table spec, "Scan Planning")
   */
  record ByKey(PartitionSpec spec) implements DeleteMode {}
}
