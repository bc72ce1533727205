package io.rowmark.index.scan;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;

/** What work on sorted rows comes to, done only as far as results are asked for. */
public final class LazyResults<T> implements Iterator<T> {
  private final Iterator<InternalRow> rows;
  private final Consumer<InternalRow> work;
  private final Runnable end;
  private final Queue<T> results;
  private boolean ended;

  /**
   * @param work on one row after the other
   * @param end of the work, after the last row
   * @param results that both add to and this takes from
   */
  public LazyResults(
      Iterator<InternalRow> rows, Consumer<InternalRow> work, Runnable end, Queue<T> results) {
    this.rows = rows;
    this.work = work;
    this.end = end;
    this.results = results;
  }

  @Override
  public boolean hasNext() {
    while (results.isEmpty() && !ended) {
      if (rows.hasNext()) {
        work.accept(rows.next());
      } else {
        end.run();
        ended = true;
      }
    }
    return !results.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return results.remove();
  }
}
