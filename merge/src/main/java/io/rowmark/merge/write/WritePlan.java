package io.rowmark.merge.write;

import io.rowmark.formats.key.KeySpec;
import java.io.Serializable;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What a write task needs, sent to the executors once.
 *
 * @param data the data table, with the batch's columns
 * @param index null unless rows are deleted by position
 * @param key null for append-only tables
 * @param keyDeletes spec of the equality deletes; null when none are written
 * @param firstRowIds first row id of each touched data file that has one
 * @param operationId part of every file name; unique for the batch attempt
 */
record WritePlan(
    Table data,
    @Nullable Table index,
    @Nullable KeySpec key,
    @Nullable PartitionSpec keyDeletes,
    Map<String, Long> firstRowIds,
    Lineage lineage,
    Removals removals,
    String operationId)
    implements Serializable {

  /** Whether rows are written with their row ids. */
  enum Lineage {
    /** Rows keep the ids they had (Iceberg table spec, "Row Lineage"). */
    KEPT,
    /** No row of the batch had one: files get fresh ids. */
    FRESH
  }

  /** What a removal leaves in the index. */
  enum Removals {
    /** An entry without a place that remembers the order of the removal. */
    TOMBSTONE,
    NOTHING
  }
}
