package io.rowmark.index.rewrite;

/**
 * Which data files are worth a rewrite.
 *
 * @param fewestFiles small files of one partition that are worth being merged, at least 2; small is
 *     what has less than three quarters of the table's target size
 * @param deadShare share of dead rows from which a file is rewritten, above 0 and up to 1
 * @param groupBytes data that is sorted together, at least the table's target file size
 */
public record RewriteRules(int fewestFiles, double deadShare, long groupBytes) {}
