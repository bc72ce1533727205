package io.rowmark.merge.plan;

import io.rowmark.formats.position.LiveFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * A fresh index, opened for one batch.
 *
 * @param table as in the transaction: with the batch's schema changes
 * @param transaction uncommitted; its base is the index that the batch resolves against
 * @param base snapshot of the base; null when the index is empty
 * @param live files of the base
 * @param truncatedAt order of the last truncate applied; null if none
 */
public record OpenIndex(
    TableIdentifier name,
    Table table,
    Transaction transaction,
    @Nullable Snapshot base,
    LiveFiles live,
    byte @Nullable [] truncatedAt) {}
