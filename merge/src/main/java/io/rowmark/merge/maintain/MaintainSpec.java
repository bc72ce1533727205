package io.rowmark.merge.maintain;

import java.time.Duration;

/**
 * How tables are maintained.
 *
 * @param smallFiles small data files of one partition that are worth being merged, at least 2
 * @param deadShare share of dead rows from which a file is rewritten, above 0 and up to 1
 * @param indexDepth index files that may hold one key before all are sorted anew
 * @param tombstoneRetention how long an index remembers deleted keys; zero for ever
 * @param olderThan age from which snapshots expire
 * @param retainLast snapshots of each branch that stay whatever their age, at least 1
 * @param orphansOlderThan age from which unreferenced files are listed
 */
public record MaintainSpec(
    int smallFiles,
    double deadShare,
    int indexDepth,
    Duration tombstoneRetention,
    Duration olderThan,
    int retainLast,
    Duration orphansOlderThan) {}
