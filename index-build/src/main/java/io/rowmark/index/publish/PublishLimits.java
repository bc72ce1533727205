package io.rowmark.index.publish;

/**
 * How much one run publishes.
 *
 * @param snapshots of the source that one commit may take together; 0 for all there are
 * @param maxCommits commits of one run
 * @param attempts how often a commit that others forestalled is planned anew, at least 1
 */
public record PublishLimits(int snapshots, int maxCommits, int attempts) {}
