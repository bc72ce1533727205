package io.rowmark.index.reconcile;

import io.rowmark.formats.key.KeySpec;
import io.rowmark.index.scan.FileNumbers;
import java.io.Serializable;
import org.apache.iceberg.Table;

/**
 * What tasks need to merge stale entries and new rows.
 *
 * @param index as it will be written to
 * @param files numbers of the live data files
 * @param entryFiles numbers of the index's live files
 */
record MergePlan(
    Table index, KeySpec key, FileNumbers files, FileNumbers entryFiles, String operationId)
    implements Serializable {}
