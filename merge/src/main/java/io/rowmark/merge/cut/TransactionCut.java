package io.rowmark.merge.cut;

import io.rowmark.merge.cut.CompleteTransactions.Waiting;
import io.rowmark.merge.record.Portion;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.TableInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Ends a batch between source transactions, by what the source itself tells of their ends. Changes
 * of transactions that are not complete stay in their files for a later batch.
 */
final class TransactionCut implements Cut {
  private final EndFiles ends;
  private final DoneBefore done;

  TransactionCut(EndFiles ends, DoneBefore done) {
    this.ends = ends;
    this.done = done;
  }

  @Override
  public SourceBatch of(String pipeline, SourceBatch found, List<Surveyed> inputs) {
    List<Waiting> waiting = inputs.stream().map(Waiting::of).toList();
    CompleteTransactions complete =
        CompleteTransactions.of(ends.ends(), waiting, done).and(late(inputs));
    List<TableInput> taken = new ArrayList<>();
    Set<String> later = new HashSet<>();
    for (Surveyed input : inputs) {
      input
          .input()
          .flatMap(some -> portion(some, input.marks(), complete.ids(), later))
          .ifPresent(taken::add);
    }
    return SourceBatch.of(
        pipeline,
        taken,
        found.absentTopics(),
        ends.after(complete.ids()),
        text(later.size(), complete));
  }

  /** Transactions of which changes came when their end had been taken; they have waited since. */
  private Set<String> late(List<Surveyed> inputs) {
    Set<String> waited = new HashSet<>();
    for (Surveyed input : inputs) {
      for (int rank = 0; rank < input.marks().size(); rank++) {
        if (input.input().orElseThrow().portions().get(rank) instanceof Portion.Of) {
          waited.addAll(input.marks().get(rank).transactions());
        }
      }
    }
    ends.ends().forEach(end -> waited.remove(end.id()));
    waited.removeIf(id -> !done.isDone(id));
    return waited;
  }

  private static String text(int later, CompleteTransactions complete) {
    if (later == 0) {
      return "";
    }
    CompleteTransactions.Blocked blocked = complete.blocked();
    return "%,d source transactions wait%s"
        .formatted(later, blocked == null ? " for their end" : ", " + blocked);
  }

  /**
   * What the batch takes of a table's inputs; empty for nothing.
   *
   * @param complete names of the transactions that it may take
   * @param later gets the names of the others
   */
  private static Optional<TableInput> portion(
      TableInput input, List<InputMarks> marks, Set<String> complete, Set<String> later) {
    List<InputFile> files = new ArrayList<>();
    List<Portion> portions = new ArrayList<>();
    for (int rank = 0; rank < input.files().size(); rank++) {
      Set<String> rest = new HashSet<>(marks.get(rank).transactions());
      Set<String> now = new HashSet<>(rest);
      now.retainAll(complete);
      rest.removeAll(complete);
      later.addAll(rest);
      Portion portion = input.portions().get(rank);
      if (portion instanceof Portion.Of) {
        if (now.isEmpty() && !rest.isEmpty()) {
          continue;
        }
        portion = new Portion.Of(now, rest);
      } else if (portion instanceof Portion.Whole && !rest.isEmpty()) {
        portion = new Portion.Without(rest);
      }
      files.add(input.files().get(rank));
      portions.add(portion);
    }
    return files.isEmpty()
        ? Optional.empty()
        : Optional.of(new TableInput(input.spec(), files, input.content(), portions));
  }
}
