package io.rowmark.merge.commit;

import io.rowmark.merge.stage.StagedTable;
import java.util.List;

/** How a commit ended. */
public sealed interface CommitOutcome {

  /** All changes of the batch are in place. */
  record Committed() implements CommitOutcome {}

  /**
   * The catalog refused some tables' changes, and none of these is in place; under the ordered
   * protocol, tables before them are done. The batch may be made again for what is left.
   *
   * @param reason what stood in the way
   * @param notLanded the tables whose files nothing refers to
   */
  record Refused(String reason, List<StagedTable> notLanded) implements CommitOutcome {
    public Refused {
      notLanded = List.copyOf(notLanded);
    }
  }

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
