package io.rowmark.index.resolve;

import java.io.Serializable;
import java.util.List;

/**
 * The outcome of a lookup.
 *
 * @param hits ascending by key; a key without entry is missing, one with several live entries, as
 *     only a damaged index has, is there several times
 */
public record LookupResult(List<IndexHit> hits, LookupCost cost) implements Serializable {
  public LookupResult {
    hits = List.copyOf(hits);
  }
}
