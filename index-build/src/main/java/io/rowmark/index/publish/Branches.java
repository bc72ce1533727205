package io.rowmark.index.publish;

/**
 * A branch and the one that shows it.
 *
 * @param from where a streaming writer commits
 * @param to that nobody else writes
 */
public record Branches(String from, String to) {}
