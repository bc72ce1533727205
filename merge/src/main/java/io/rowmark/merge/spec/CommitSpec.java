package io.rowmark.merge.spec;

/**
 * How a batch is committed.
 *
 * @param attempts how often a refused batch is made again, at least 1
 */
public record CommitSpec(Mode mode, int attempts) {
  /** Which protocol commits a batch. */
  public enum Mode {
    /** ATOMIC where the catalog says that its multi-table commit is atomic, else ORDERED. */
    AUTO,
    /** One multi-table REST commit. */
    ATOMIC,
    /** Ledger intent, data table, index table, ledger done, one after another. */
    ORDERED
  }
}
