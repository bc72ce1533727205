package io.rowmark.formats.audit;

/**
 * The data files of a snapshot.
 *
 * @param files data files
 * @param records rows in them, dead ones included
 * @param bytes size of them
 * @param smallFiles files under {@code smallBelowBytes}; what Iceberg's rewrite_data_files would
 *     look at, although the only file of a partition cannot be made larger
 * @param smallBelowBytes 75 % of {@code write.target-file-size-bytes}, the default bound of
 *     rewrite_data_files
 */
public record DataFileTotals(
    long files, long records, long bytes, long smallFiles, long smallBelowBytes) {}
