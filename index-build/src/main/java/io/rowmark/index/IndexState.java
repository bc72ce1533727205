package io.rowmark.index;

import io.rowmark.formats.index.IndexCoverage;
import io.rowmark.formats.index.PartialCoverage;
import java.util.Optional;
import org.apache.iceberg.Table;

/**
 * An index table as loaded, and what it claims to cover.
 *
 * @param coverage empty when the index has no content yet, when another writer changed its content,
 *     and while it is brought up to date in several commits
 * @param partial how far these commits have come; empty when there are none
 */
public record IndexState(
    Table table, Optional<IndexCoverage> coverage, Optional<PartialCoverage> partial) {

  /**
   * The last claim, whether or not it still holds: it tells the table and key that the entries
   * speak of. Empty when nothing does.
   */
  public Optional<IndexCoverage> lastClaim() {
    return coverage.or(() -> partial.map(PartialCoverage::former));
  }
}
