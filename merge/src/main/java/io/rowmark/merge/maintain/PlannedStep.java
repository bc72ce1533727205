package io.rowmark.merge.maintain;

/**
 * What is to be done.
 *
 * @param table that it is done to
 * @param commits it takes, at least
 * @param filesIn data files that go
 * @param filesOut data files that come, as far as sizes tell
 * @param bytes of the files that go
 * @param deadRows dead rows in them, as far as manifests tell
 * @param deleteFiles that hide nothing
 */
public record PlannedStep(
    StepKind kind,
    String table,
    int commits,
    long filesIn,
    long filesOut,
    long bytes,
    long deadRows,
    long deleteFiles) {}
