package io.rowmark.index;

import io.rowmark.formats.index.IndexCoverage;
import java.util.Optional;
import org.apache.iceberg.Table;

/**
 * An index table as loaded, and what it claims to cover.
 *
 * @param coverage empty when the index has no content yet, or when another writer changed its
 *     content
 */
public record IndexState(Table table, Optional<IndexCoverage> coverage) {}
