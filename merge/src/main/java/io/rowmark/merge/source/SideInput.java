package io.rowmark.merge.source;

import java.util.List;

/**
 * An input that changes no table and is remembered with a batch: a file of transaction metadata, or
 * one without a change for a table that does not exist yet.
 *
 * @param owner the table, or the topic of the metadata, which stands in the ledger in its place
 * @param heldBack what of it is left for later batches
 */
public record SideInput(String owner, InputFile file, List<String> heldBack) {
  public SideInput {
    heldBack = List.copyOf(heldBack);
  }
}
