package io.rowmark.index.convert;

/**
 * How much one run converts.
 *
 * @param maxBytes bytes of data files that one commit takes, at least one file
 * @param maxCommits commits of one run
 * @param attempts how often a commit that others forestalled is planned anew, at least 1
 */
public record ConversionLimits(long maxBytes, int maxCommits, int attempts) {}
