package io.rowmark.merge.maintain;

/**
 * One commit that was made.
 *
 * @param table that it was made on; its index goes with it
 * @param snapshotId the newest snapshot of the table then
 * @param filesIn data files that went
 * @param filesOut data files that came
 * @param bytesIn of those that went
 * @param bytesOut of those that came
 * @param deleteFiles vectors and delete files that went
 * @param rows that were moved, or entries that were forgotten
 * @param attempts how often it was tried; more than 1 if others committed meanwhile
 */
public record StepReport(
    StepKind kind,
    String table,
    long snapshotId,
    long filesIn,
    long filesOut,
    long bytesIn,
    long bytesOut,
    long deleteFiles,
    long rows,
    int attempts,
    long millis) {}
