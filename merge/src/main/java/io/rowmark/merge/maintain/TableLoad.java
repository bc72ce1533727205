package io.rowmark.merge.maintain;

import io.rowmark.formats.upkeep.ReadLoad;

/**
 * What a scan of a table reads.
 *
 * @param now as the table is
 * @param predicted once what is planned is done
 */
public record TableLoad(String table, ReadLoad now, ReadLoad predicted) {}
