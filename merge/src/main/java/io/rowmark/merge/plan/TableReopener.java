package io.rowmark.merge.plan;

import java.util.Optional;
import org.apache.iceberg.BaseTransaction;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.jspecify.annotations.Nullable;

/** Opens the tables of a batch that was refused once more, for the files that it has written. */
public final class TableReopener {
  private final TableOpener opener;

  public TableReopener(TableOpener opener) {
    this.opener = opener;
  }

  /**
   * Opens a table as it is now, its index brought up to date.
   *
   * @param before as the files were written for it
   * @param shape that the events were decoded for
   * @throws io.rowmark.formats.failure.RowmarkException as {@link TableOpener#open} does
   */
  public Reopened reopen(OpenTable before, TableShape shape) {
    TableShape found = opener.shape(shape.spec());
    Table now = found.table();
    if (now == null) {
      return new Reopened.Changed("it is gone");
    }
    TableFrame frame = frame(before.transaction());
    // first, since columns that the batch wants to add may be there by now
    Optional<String> difference = frame.differenceTo(frame(now));
    if (difference.isPresent()) {
      return new Reopened.Changed(difference.get());
    }
    OpenTable opened =
        opener.open(new TableShape(found.plan(), shape.schema(), shape.steps())).after(before);
    return frame
        .differenceTo(frame(opened.transaction()))
        .or(() -> differenceOfIndex(before.index(), opened.index()))
        .or(() -> differenceOfDeletes(before, opened))
        .<Reopened>map(Reopened.Changed::new)
        .orElseGet(() -> new Reopened.Fitting(opened));
  }

  private static TableFrame frame(Transaction transaction) {
    return TableFrame.of(((BaseTransaction) transaction).startMetadata());
  }

  private static TableFrame frame(Table table) {
    return TableFrame.of(((HasTableOperations) table).operations().current());
  }

  private static Optional<String> differenceOfIndex(
      @Nullable OpenIndex before, @Nullable OpenIndex now) {
    if (before == null || now == null) {
      return before == now ? Optional.empty() : Optional.of("its index came or went");
    }
    return frame(before.transaction())
        .differenceTo(frame(now.transaction()))
        .map(reason -> "of its index, " + reason);
  }

  /** Deletes by key are written only where a row may be hidden, under the spec that reaches it. */
  private static Optional<String> differenceOfDeletes(OpenTable before, OpenTable now) {
    if (!before.deletes().equals(now.deletes())) {
      return Optional.of("its rows are deleted in another way");
    }
    return now.deletesByKey() && before.live().isEmpty() != now.live().isEmpty()
        ? Optional.of("its first rows came, or all are gone")
        : Optional.empty();
  }
}
