package io.rowmark.merge.commit;

/** How a commit ended. */
public sealed interface CommitOutcome {

  /** All changes of the batch are in place. */
  record Committed() implements CommitOutcome {}

  /**
   * The catalog refused, and none of the changes is in place. The batch may be made again.
   *
   * @param reason what stood in the way
   */
  record Refused(String reason) implements CommitOutcome {}

  /**
   * The answer was lost and the tables do not tell: the changes may be in place, may still land, or
   * never will. Nothing may be removed or repeated.
   *
   * @param reason what went wrong
   */
  record Unknown(String reason) implements CommitOutcome {}

  /**
   * The changes of some tables are in place and those of others are not: the catalog is not atomic.
   *
   * @param reason which are and which are not
   */
  record Torn(String reason) implements CommitOutcome {}
}
