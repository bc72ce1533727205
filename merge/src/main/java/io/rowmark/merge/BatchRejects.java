package io.rowmark.merge;

import io.rowmark.merge.normalize.DeadLetters;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.normalize.Reject;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.source.SourceBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets records aside that cannot become rows, and stops a batch that has too many of them.
 *
 * @param deadLetters where they go, and how many may
 */
record BatchRejects(DeadLetters deadLetters) {
  /** Those that no row can be read from. */
  void afterNormalizing(SourceBatch batch, List<NormalizedTable> tables) {
    long total = 0;
    List<Reject> examples = new ArrayList<>();
    for (NormalizedTable table : tables) {
      total += table.rejectCount();
      examples.addAll(table.rejects());
      deadLetters.write(batch.id(), table.input().spec().table(), table.rejects());
    }
    deadLetters.check(total, examples);
  }

  /** With them, those that lack what the table does not have. */
  void afterResolving(SourceBatch batch, List<ResolvedTable> tables) {
    long total = 0;
    List<Reject> examples = new ArrayList<>();
    for (ResolvedTable table : tables) {
      NormalizedTable input = table.normalized();
      total += input.rejectCount() + table.counts().problems();
      List<Reject> rejects = new ArrayList<>(input.rejects());
      rejects.addAll(table.rejects());
      examples.addAll(rejects);
      if (!table.rejects().isEmpty()) {
        deadLetters.write(batch.id(), input.input().spec().table(), rejects);
      }
    }
    deadLetters.check(total, examples);
  }
}
