package io.rowmark.merge.cut;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells transactions whose changes are missing because they are in the tables: the source repeats
 * itself after a restart, and a pipeline may be cut between transactions only from some day on.
 */
final class DoneBefore implements Predicate<String> {
  private final EndFiles ends;
  private final List<Surveyed> inputs;
  private final Past past;
  private @Nullable Set<String> done;

  /** What the pipeline read before. */
  enum Past {
    /** Nothing, or it was cut between transactions. */
    KNOWN,
    /** Inputs of its tables, and no ends of transactions. */
    WITHOUT_ENDS
  }

  DoneBefore(EndFiles ends, List<Surveyed> inputs, Past past) {
    this.ends = ends;
    this.inputs = inputs;
    this.past = past;
  }

  @Override
  public boolean test(String id) {
    if (past == Past.WITHOUT_ENDS
        && inputs.stream()
            .flatMap(input -> input.marks().stream())
            .noneMatch(marks -> marks.transactions().contains(id))) {
      return true;
    }
    if (done == null) {
      done = ends.done();
    }
    return done.contains(id);
  }
}
