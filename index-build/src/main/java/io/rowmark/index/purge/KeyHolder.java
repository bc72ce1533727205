package io.rowmark.index.purge;

import java.util.List;

/**
 * A file that holds wanted keys.
 *
 * @param table that names it
 * @param state whether it belongs to the table as it is
 * @param location where it is
 * @param snapshots that name it, ascending
 * @param refs branches and tags that stand at one of these snapshots
 */
public record KeyHolder(
    String table,
    Kind kind,
    State state,
    String location,
    List<Long> snapshots,
    List<String> refs) {

  /** What it holds the keys as. */
  public enum Kind {
    /** Rows of the table, or entries of the index. */
    ROWS,
    /** Values of equality deletes. */
    EQUALITY_DELETES,
    /** Rows that an older writer put beside the positions of deleted rows; taken for a holder. */
    POSITION_DELETES_WITH_ROWS
  }

  /** Whether readers of the main branch still meet it. */
  public enum State {
    LIVE,
    /** Only older snapshots, other branches or tags name it. */
    RETAINED
  }

  public KeyHolder {
    snapshots = List.copyOf(snapshots);
    refs = List.copyOf(refs);
  }
}
