package io.rowmark.index.purge;

import java.util.List;

/**
 * Which files of one table hold wanted keys.
 *
 * @param table data table or index
 * @param snapshots in the table's metadata, of all branches and tags
 * @param files that they name
 * @param filesRead of these, files that were looked into; the others cannot hold a key by the
 *     bounds of their key columns, or were not asked for
 * @param bytesRead size of the files that were looked into
 * @param holders files that hold a key
 * @param gaps what could not be looked into, for people; empty for a complete search
 */
public record TableProof(
    String table,
    int snapshots,
    int files,
    int filesRead,
    long bytesRead,
    List<KeyHolder> holders,
    List<String> gaps) {
  public TableProof {
    holders = List.copyOf(holders);
    gaps = List.copyOf(gaps);
  }

  /** Whether it is certain that no file holds a key. */
  public boolean isClean() {
    return holders.isEmpty() && gaps.isEmpty();
  }
}
