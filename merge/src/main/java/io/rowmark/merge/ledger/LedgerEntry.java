package io.rowmark.merge.ledger;

import io.rowmark.merge.source.SideInput;
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
 * @param heldBack what of the input is left for later batches, see {@link
 *     io.rowmark.merge.record.Portion#heldBack}; empty for nothing
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
    Instant recordedAt,
    List<String> heldBack) {
  /** How far the input got. */
  public enum Status {
    /** Ordered protocol: about to be committed. */
    INTENT,
    /** In the table and its index. */
    DONE,
    /**
     * Ordered protocol: the intent was not carried out when this was recorded. Should its request
     * have been under way and land later, the next run records it as done.
     */
    ABANDONED,
    /** Not read, and not to be read unless it is asked for; whatever else is recorded counts. */
    PASSED_OVER
  }

  /** Inputs of a batch that a table was found to have; how many events they held is not known. */
  public static List<LedgerEntry> recovered(String batchId, TableInput input, Table table) {
    Snapshot head = table.currentSnapshot();
    Long snapshot = head == null ? null : head.snapshotId();
    Instant now = Instant.now();
    return input.aside().stream()
        .map(aside -> withoutCounts(batchId, aside, snapshot, Status.DONE, now))
        .toList();
  }

  /** An input that changes no table. */
  public static LedgerEntry aside(String batchId, SideInput input, Instant now) {
    return withoutCounts(batchId, input, null, Status.DONE, now);
  }

  /** Inputs that are left where they are. */
  public static List<LedgerEntry> passedOver(String batchId, TableInput input, Instant now) {
    return input.aside().stream()
        .map(aside -> withoutCounts(batchId, aside, null, Status.PASSED_OVER, now))
        .toList();
  }

  private static LedgerEntry withoutCounts(
      String batchId, SideInput input, @Nullable Long snapshot, Status status, Instant now) {
    return new LedgerEntry(
        batchId,
        input.owner(),
        input.file().name(),
        input.file().size(),
        input.file().modified(),
        0,
        0,
        null,
        null,
        status,
        snapshot,
        null,
        null,
        now,
        input.heldBack());
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
        now,
        heldBack);
  }
}
