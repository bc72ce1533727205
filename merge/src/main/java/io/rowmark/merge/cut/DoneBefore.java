package io.rowmark.merge.cut;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells transactions whose changes are missing because they are in the tables: the source repeats
 * itself after a restart, and a pipeline may be cut between transactions only from some day on.
 *
 * <p>Earlier ends are read for transactions that have waited for a batch already, and not for those
 * that are on their way.
 */
final class DoneBefore implements Predicate<String> {
  private final EndFiles ends;
  private final List<Surveyed> inputs;
  private final Past past;
  private final Set<String> begun;
  private @Nullable Set<String> done;

  /** What the pipeline read before. */
  enum Past {
    /** Nothing, or it was cut between transactions. */
    KNOWN,
    /** Inputs of its tables, and no ends of transactions; all that is left of them waits here. */
    WITHOUT_ENDS
  }

  DoneBefore(EndFiles ends, List<Surveyed> inputs, Past past) {
    this.ends = ends;
    this.inputs = inputs;
    this.past = past;
    this.begun = ends.begun();
  }

  /** Whether the transaction of an end of which changes are missing is in the tables. */
  @Override
  public boolean test(String id) {
    if (past == Past.WITHOUT_ENDS
        && inputs.stream()
            .flatMap(input -> input.marks().stream())
            .noneMatch(marks -> marks.transactions().contains(id))) {
      return true;
    }
    return begun.contains(id) && isDone(id);
  }

  /** Whether a batch had an end of the transaction. */
  boolean isDone(String id) {
    if (done == null) {
      done = ends.done();
    }
    return done.contains(id);
  }
}
