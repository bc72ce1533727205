package io.rowmark.index.history;

import io.rowmark.index.resolve.LookupCost;
import java.util.List;

/**
 * What the retained snapshots of an index say of one key. Holds no key values.
 *
 * @param table the data table
 * @param index its index
 * @param stays oldest first; equal ones that follow each other are one
 * @param snapshots snapshots of the index that were looked into
 * @param silent snapshots of the index that do not say which state of the table they describe
 * @param cost what was read of the index
 */
public record KeyHistory(
    String table, String index, List<Stay> stays, int snapshots, int silent, LookupCost cost) {
  public KeyHistory {
    stays = List.copyOf(stays);
  }
}
