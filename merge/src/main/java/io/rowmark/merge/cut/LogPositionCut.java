package io.rowmark.merge.cut;

import io.rowmark.formats.change.ChangeOrder;
import io.rowmark.merge.record.Portion;
import io.rowmark.merge.source.InputFile;
import io.rowmark.merge.source.InputMarks;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.source.TableInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a batch at one position of the source's log for all tables: the last one that has settled.
 * The changes of one time land in the files of different topics at different times, but not further
 * apart than a length of time that the user knows; so up to the last position in any file that is
 * older than that, all topics are complete.
 */
final class LogPositionCut implements Cut {
  private final Instant settled;

  /**
   * @param settled whatever is in files up to this time has landed in all topics
   */
  LogPositionCut(Instant settled) {
    this.settled = settled;
  }

  @Override
  public SourceBatch of(String pipeline, SourceBatch found, List<Surveyed> inputs) {
    byte[] end = null;
    for (Surveyed input : inputs) {
      end = later(end, settled(input));
    }
    List<TableInput> taken = new ArrayList<>();
    int waiting = 0;
    for (Surveyed input : inputs) {
      if (input.input().isPresent()) {
        portion(input.input().get(), input.marks(), end).ifPresent(taken::add);
        waiting += waiting(input.marks(), end);
      }
    }
    String text = waiting == 0 ? "" : "%,d files have not settled".formatted(waiting);
    return SourceBatch.of(pipeline, taken, found.absentTopics(), List.of(), text);
  }

  /** The last position in the files of a table that have settled; null when there is none. */
  private byte @Nullable [] settled(Surveyed input) {
    byte[] last = null;
    List<InputFile> files = input.input().map(TableInput::files).orElse(List.of());
    for (int rank = 0; rank < files.size(); rank++) {
      if (!files.get(rank).modified().isAfter(settled)) {
        last = later(last, input.marks().get(rank).highest());
      }
    }
    return last;
  }

  private static int waiting(List<InputMarks> marks, byte @Nullable [] end) {
    int waiting = 0;
    for (InputMarks file : marks) {
      waiting += isUpTo(file.highest(), end) ? 0 : 1;
    }
    return waiting;
  }

  private static Optional<TableInput> portion(
      TableInput input, List<InputMarks> marks, byte @Nullable [] end) {
    List<InputFile> files = new ArrayList<>();
    List<Portion> portions = new ArrayList<>();
    for (int rank = 0; rank < input.files().size(); rank++) {
      if (!isUpTo(marks.get(rank).lowest(), end)) {
        continue;
      }
      boolean whole = isUpTo(marks.get(rank).highest(), end);
      Portion portion = input.portions().get(rank);
      if (portion instanceof Portion.Between rest) {
        portion = new Portion.Between(rest.after(), whole ? null : end);
      } else if (portion instanceof Portion.Whole && !whole) {
        portion = new Portion.Between(null, end);
      }
      files.add(input.files().get(rank));
      portions.add(portion);
    }
    return files.isEmpty()
        ? Optional.empty()
        : Optional.of(new TableInput(input.spec(), files, input.content(), portions));
  }

  /** Whether a position is not behind the end; one of no change is not. */
  private static boolean isUpTo(byte @Nullable [] position, byte @Nullable [] end) {
    return position == null || (end != null && ChangeOrder.COMPARATOR.compare(position, end) <= 0);
  }

  private static byte @Nullable [] later(byte @Nullable [] one, byte @Nullable [] other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return ChangeOrder.COMPARATOR.compare(one, other) >= 0 ? one : other;
  }
}
