package io.rowmark.merge.convert;

import io.rowmark.index.publish.Branches;
import org.jspecify.annotations.Nullable;

/**
 * What one run of the command converts.
 *
 * @param branches to follow one branch on another; null to convert a table's main branch in place
 * @param maxBytes bytes of data files that one commit in place takes
 * @param maxCommits commits for each table
 * @param snapshots of the source branch that one commit publishes together; 0 for all
 */
public record ConvertRequest(
    @Nullable Branches branches, long maxBytes, int maxCommits, int snapshots) {}
