package io.rowmark.app.engine;

/**
 * A new index.
 *
 * @param index its table
 * @param entries keys in it
 * @param files its data files
 * @param bytes their size
 */
public record IndexBuilt(String index, long entries, long files, long bytes) {}
