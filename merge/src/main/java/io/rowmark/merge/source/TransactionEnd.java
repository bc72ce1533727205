package io.rowmark.merge.source;

import java.util.Map;

/**
 * What the source tells of a transaction when it has ended.
 *
 * @param id the part of its name that all its changes share
 * @param changes how many changes it has, by source table, as {@code schema.table}
 */
public record TransactionEnd(String id, Map<String, Long> changes) {
  public TransactionEnd {
    changes = Map.copyOf(changes);
  }
}
