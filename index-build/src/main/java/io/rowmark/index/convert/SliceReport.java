package io.rowmark.index.convert;

import io.rowmark.index.IndexCarry;

/**
 * One commit of a conversion.
 *
 * @param number from 1, in this run
 * @param snapshotId the new snapshot
 * @param bytes of the data files taken
 * @param index what became of the table's index
 * @param attempts how often it was planned; more than 1 if others committed meanwhile
 * @param filesLeft data files that later commits have to take
 */
public record SliceReport(
    int number,
    long snapshotId,
    ConversionReport counts,
    long bytes,
    IndexCarry.Outcome index,
    int attempts,
    int filesLeft,
    long bytesLeft,
    long millis) {}
