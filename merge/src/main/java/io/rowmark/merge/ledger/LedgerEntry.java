package io.rowmark.merge.ledger;

import io.rowmark.merge.source.TableInput;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * What became of one input of one batch.
 *
 * @param table data table it went to
 * @param input name of the input, relative to the landing folder
 * @param inputSize bytes as stored
 * @param inputModified modification time of the input
 * @param events records read from it
 * @param rejects records set aside
 * @param firstOrder lowest change order in the batch's input of this table; null if unknown
 * @param lastOrder highest one
 * @param dataSnapshot the data table's snapshot with this batch; null if it needed none
 * @param indexSnapshot likewise of the index table
 * @param stagedIndex Iceberg's JSON of the staged index snapshot, in intents only
 */
public record LedgerEntry(
    String batchId,
    String table,
    String input,
    long inputSize,
    Instant inputModified,
    long events,
    long rejects,
    byte @Nullable [] firstOrder,
    byte @Nullable [] lastOrder,
    Status status,
    @Nullable Long dataSnapshot,
    @Nullable Long indexSnapshot,
    @Nullable String stagedIndex,
    Instant recordedAt) {

  /** How far the input got. */
  public enum Status {
    /** Ordered protocol: about to be committed. */
    INTENT,
    /** In the table and its index. */
    DONE,
    /** Ordered protocol: the intent was not carried out and never will be. */
    ABANDONED
  }

  /** Inputs of a batch that a table was found to have; how many events they held is not known. */
  public static List<LedgerEntry> recovered(String batchId, TableInput input, Table table) {
    Snapshot head = table.currentSnapshot();
    Long snapshot = head == null ? null : head.snapshotId();
    Instant now = Instant.now();
    return input.files().stream()
        .map(
            file ->
                new LedgerEntry(
                    batchId,
                    input.spec().table(),
                    file.name(),
                    file.size(),
                    file.modified(),
                    0,
                    0,
                    null,
                    null,
                    Status.DONE,
                    snapshot,
                    null,
                    null,
                    now))
        .toList();
  }

  /** The same input with another status. */
  public LedgerEntry as(Status next, Instant now) {
    return new LedgerEntry(
        batchId,
        table,
        input,
        inputSize,
        inputModified,
        events,
        rejects,
        firstOrder,
        lastOrder,
        next,
        dataSnapshot,
        indexSnapshot,
        next == Status.INTENT ? stagedIndex : null,
        now);
  }
}
