package io.rowmark.merge.probe;

import static io.rowmark.merge.probe.Trial.no;
import static io.rowmark.merge.probe.Trial.unknown;
import static io.rowmark.merge.probe.Trial.wrong;
import static io.rowmark.merge.probe.Trial.yes;

import io.rowmark.merge.probe.Trial.Seen;
import java.io.IOException;
import java.util.List;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/** Two commits to one table, made from one base: the second must be refused as a conflict. */
record StaleTrials(ScratchTables scratch) {

  List<Finding> run() {
    return List.of(
        Trial.observe(
            Experiment.STALE_COMMIT,
            () -> {
              TableIdentifier name = scratch.create("stale", 2);
              StagedAppend.on(scratch, name).swap();
              return race(name);
            }),
        // seen to lose the first commit where the check of an absent snapshot is left out
        Trial.observe(
            Experiment.STALE_COMMIT_ON_EMPTY_TABLE,
            () -> race(scratch.create("stale_on_empty", 2))));
  }

  private Seen race(TableIdentifier name) throws IOException {
    StagedAppend first = StagedAppend.on(scratch, name);
    StagedAppend second = StagedAppend.on(scratch, name);
    first.swap();
    String answer;
    try {
      second.swap();
      answer = "accepted";
    } catch (CommitStateUnknownException e) {
      answer = "answered as a failure of the service";
    } catch (CommitFailedException e) {
      answer = "";
    } catch (RuntimeException e) {
      answer = "answered " + Trial.answer(e);
    }
    boolean firstThere = first.isIn(scratch);
    boolean secondThere = second.isIn(scratch);
    if (!firstThere) {
      return wrong("the first commit is gone: an update was lost");
    } else if (answer.isEmpty()) {
      return secondThere
          ? wrong("refused as a conflict, but its file is in the table")
          : yes("refused as a conflict (409 over REST)");
    } else if (answer.equals("accepted")) {
      return secondThere
          ? no("accepted: the catalog put it on top of the first by itself")
          : wrong("accepted, but its file is not in the table");
    }
    return secondThere
        ? wrong(answer + ", but its file is in the table")
        : unknown(answer + "; clients cannot tell that from a lost answer");
  }
}
