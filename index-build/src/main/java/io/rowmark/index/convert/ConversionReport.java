package io.rowmark.index.convert;

/**
 * What a conversion did.
 *
 * @param dataFiles data files whose deletes were converted
 * @param dropped of these, files without a live row, which the table no longer has
 * @param rowsHidden rows that equality deletes hid and that are now deleted by position
 * @param deleteFilesRemoved delete files of the former formats
 * @param deleteFilesAdded delete files in the wanted format
 */
public record ConversionReport(
    int dataFiles, int dropped, long rowsHidden, int deleteFilesRemoved, int deleteFilesAdded) {}
