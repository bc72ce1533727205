package io.rowmark.merge.spec;

/**
 * How much one batch takes.
 *
 * @param maxFiles input files per table and batch, at least 1
 * @param maxBytes input bytes per table and batch as stored; one file is always taken
 */
public record BatchSpec(int maxFiles, long maxBytes) {}
