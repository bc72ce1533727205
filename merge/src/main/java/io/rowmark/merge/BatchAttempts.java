package io.rowmark.merge;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.StepListener.Step;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.commit.RefusedFiles;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.report.BatchReport.NewAttempt;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.stage.StagedTable;
import io.rowmark.merge.write.WrittenTable;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one run. The first makes the batch from its inputs; one that follows a refusal
 * takes over the rows that were written, if they are still right, and makes the batch anew if not.
 */
final class BatchAttempts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BatchAttempts.class);

  private final Supplier<BatchSteps> begin;
  private final StepListener listener;
  private final ReportBuilder report;
  private final @Nullable SourceBatch given;
  private @Nullable BatchSteps steps;
  private @Nullable Leftover leftover;
  private @Nullable String refusal;
  private boolean sent;

  /**
   * What a refused attempt leaves. Nothing refers to its files, and nobody else removes them.
   *
   * @param batch as it was staged
   */
  private record Leftover(BatchSteps steps, SourceBatch batch, List<StagedTable> tables) {
    List<WrittenTable> written() {
      return tables.stream().map(StagedTable::written).toList();
    }
  }

  /**
   * @param begin gives the steps of an attempt that begins at its inputs
   * @param given the batch to make; null for what is new
   */
  BatchAttempts(
      Supplier<BatchSteps> begin,
      StepListener listener,
      ReportBuilder report,
      @Nullable SourceBatch given) {
    this.begin = begin;
    this.listener = listener;
    this.report = report;
    this.given = given;
  }

  /**
   * Makes one attempt. A conflict that shows before anything is sent is a refusal as well.
   *
   * @param number from 1
   * @throws RowmarkException when it cannot be known whether the batch landed, or no other attempt
   *     would help
   */
  CommitOutcome next(int number) {
    report.attempt(number);
    sent = false;
    CommitOutcome outcome;
    try {
      Leftover before = leftover;
      outcome =
          before == null
              ? afresh(number, "none of its files could be taken over")
              : again(number, before);
    } catch (RuntimeException e) {
      RowmarkException failure = Failures.classify(e);
      if (sent || failure.category() != Category.CONFLICT || !failure.retryHelps()) {
        throw e;
      }
      outcome = new CommitOutcome.Refused(String.valueOf(failure.getMessage()), List.of());
    }
    if (outcome instanceof CommitOutcome.Refused refused) {
      LOG.info("Attempt {} was refused: {}", number, refused.reason());
      refusal = refused.reason();
    }
    return outcome;
  }

  private CommitOutcome afresh(int number, String reason) {
    String former = refusal;
    if (former != null) {
      report.again(NewAttempt.redone(number, former, reason));
    }
    release();
    BatchSteps fresh = begin.get();
    steps = fresh;
    SourceBatch found = report.step(Step.READ, () -> fresh.read(given), Summaries::of);
    report.touched(fresh.touched());
    if (found.isEmpty()) {
      report.outcome(Outcome.NOTHING_NEW);
      return new CommitOutcome.Committed();
    }
    report.batch(found.id(), fresh.protocol().label());
    SourceBatch batch = fresh.withoutLanded(found);
    if (batch.isEmpty()) {
      report.outcome(Outcome.ALREADY_COMMITTED);
      return new CommitOutcome.Committed();
    }
    List<NormalizedTable> changes =
        report.step(Step.NORMALIZE, () -> fresh.normalize(batch), Summaries::ofNormalized);
    List<ResolvedTable> resolved =
        report.step(Step.RESOLVE, () -> fresh.resolve(batch, changes), Summaries::ofResolved);
    List<WrittenTable> written =
        report.step(
            Step.WRITE, () -> fresh.write(resolved, operation(batch)), Summaries::ofWritten);
    return land(fresh, batch, written);
  }

  private CommitOutcome again(int number, Leftover before) {
    BatchSteps same = before.steps();
    Rebase decision =
        report.step(
            Step.RESOLVE, () -> same.rebase(before.batch(), before.written()), Summaries::ofRebase);
    if (decision instanceof Rebase.Redo redo) {
      discard();
      return afresh(number, redo.reason());
    }
    Rebase.Rebased rebased = (Rebase.Rebased) decision;
    report.again(
        NewAttempt.rebased(number, String.valueOf(refusal), rebased.keys(), rebased.dataFiles()));
    RefusedFiles.removeAllButRows(before.tables());
    List<WrittenTable> written =
        report.step(
            Step.WRITE,
            () -> same.writeDeletes(rebased.tables(), operation(before.batch())),
            Summaries::ofDeletes);
    return land(same, before.batch(), written);
  }

  private static String operation(SourceBatch batch) {
    return batch.id() + "-" + UUID.randomUUID();
  }

  private CommitOutcome land(BatchSteps own, SourceBatch batch, List<WrittenTable> written) {
    StagedBatch staged =
        report.step(Step.STAGE, () -> own.stage(batch, written), Summaries::ofStaged);
    listener.reached(Checkpoint.BATCH_STAGED);
    // from here on the files may be in use
    leftover = null;
    sent = true;
    CommitOutcome outcome = report.step(Step.COMMIT, () -> own.commit(staged), Summaries::ofCommit);
    if (outcome instanceof CommitOutcome.Unknown unknown) {
      throw Failures.unknown(staged, unknown.reason());
    } else if (outcome instanceof CommitOutcome.Torn torn) {
      throw Failures.torn(staged, torn.reason());
    } else if (outcome instanceof CommitOutcome.Refused refused) {
      if (!refused.notLanded().isEmpty()) {
        leftover = new Leftover(own, batch, refused.notLanded());
      }
    } else {
      report.tables(TableReports.of(staged));
      report.outcome(Outcome.COMMITTED);
    }
    return outcome;
  }

  private void discard() {
    Leftover unused = leftover;
    leftover = null;
    if (unused != null) {
      RefusedFiles.remove(unused.tables());
    }
  }

  private void release() {
    BatchSteps ended = steps;
    steps = null;
    if (ended != null) {
      ended.release();
    }
  }

  /** Removes files that nothing will refer to, ends threads, and lets Spark forget what it kept. */
  @Override
  public void close() {
    try {
      discard();
    } finally {
      release();
    }
  }
}
