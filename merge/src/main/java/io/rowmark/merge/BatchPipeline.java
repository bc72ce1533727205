package io.rowmark.merge;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.StepListener.Step;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.commit.RefusedFiles;
import io.rowmark.merge.normalize.NormalizedTable;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.resolve.ResolvedTable;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.stage.StagedBatch;
import io.rowmark.merge.write.WrittenTable;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One batch of one pipeline, over all its tables: read, normalize, resolve, write, stage, commit,
 * report. Each step takes an immutable value and returns the next; nothing is visible before the
 * commit, and after it everything is.
 */
public final class BatchPipeline {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPipeline.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double JITTER = 0.5;

  private final PipelineSpec pipeline;
  private final SparkSession spark;
  private final Catalog catalog;
  private final StepListener listener;
  private final Consumer<BatchReport> reports;

  /**
   * @param catalog built from the same properties as the Spark catalog of the pipeline's name
   * @param reports gets the report of every run, also of one that fails
   */
  public BatchPipeline(
      PipelineSpec pipeline,
      SparkSession spark,
      Catalog catalog,
      StepListener listener,
      Consumer<BatchReport> reports) {
    this.pipeline = pipeline;
    this.spark = spark;
    this.catalog = catalog;
    this.listener = listener;
    this.reports = reports;
  }

  /**
   * Runs the next batch.
   *
   * @return what was done; the outcome NOTHING_NEW when every landed file is in its table
   * @throws RowmarkException when the batch failed; the tables are as before, unless the category
   *     is UNKNOWN_COMMIT
   */
  public BatchReport run() {
    return run(null);
  }

  /**
   * Runs a batch of given inputs, whether or not they are new.
   *
   * @return what was done; the outcome ALREADY_COMMITTED when the tables have this very batch
   * @throws RowmarkException as {@link #run()}
   */
  public BatchReport replay(SourceBatch given) {
    return run(given);
  }

  private BatchReport run(@Nullable SourceBatch given) {
    ReportBuilder report = new ReportBuilder(pipeline.name(), listener);
    try {
      BatchReport done = attempts(report, given);
      reports.accept(done);
      return done;
    } catch (Exception e) {
      // Spark throws checked exceptions through methods that declare none
      RowmarkException failure = Failures.classify(e);
      reports.accept(report.failed(failure));
      throw failure;
    }
  }

  /**
   * Makes the batch until it lands. Between attempts there is a pause that grows and differs from
   * run to run, so that writers who met once do not meet again and again.
   */
  private BatchReport attempts(ReportBuilder report, @Nullable SourceBatch given) {
    RetryPolicy<CommitOutcome> refusals =
        RetryPolicy.<CommitOutcome>builder()
            .handleIf(error -> false)
            .handleResultIf(outcome -> outcome instanceof CommitOutcome.Refused)
            .withBackoff(FIRST_PAUSE, LONGEST_PAUSE)
            .withJitter(JITTER)
            .withMaxAttempts(pipeline.commit().attempts())
            .build();
    CommitOutcome last =
        Failsafe.with(refusals)
            .get(
                context -> {
                  report.attempt(context.getAttemptCount() + 1);
                  CommitOutcome outcome = attempt(report, given);
                  if (outcome instanceof CommitOutcome.Refused refused) {
                    LOG.info(
                        "Attempt {} was refused: {}",
                        context.getAttemptCount() + 1,
                        refused.reason());
                  }
                  return outcome;
                });
    if (last instanceof CommitOutcome.Refused refused) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Other writers kept changing the tables: %d attempts were refused, the last because: %s. Tables that refused are as before. Run again, or raise commit.attempts."
              .formatted(pipeline.commit().attempts(), refused.reason()),
          null);
    }
    return report.finished();
  }

  private CommitOutcome attempt(ReportBuilder report, @Nullable SourceBatch given) {
    BatchSteps steps = new BatchSteps(pipeline, spark, catalog, listener);
    try {
      SourceBatch found = report.step(Step.READ, () -> steps.read(given), Summaries::of);
      report.touched(steps.touched());
      if (found.isEmpty()) {
        report.outcome(Outcome.NOTHING_NEW);
        return new CommitOutcome.Committed();
      }
      report.batch(found.id(), steps.protocol().label());
      SourceBatch batch = steps.withoutLanded(found);
      if (batch.isEmpty()) {
        report.outcome(Outcome.ALREADY_COMMITTED);
        return new CommitOutcome.Committed();
      }
      List<NormalizedTable> changes =
          report.step(Step.NORMALIZE, () -> steps.normalize(batch), Summaries::ofNormalized);
      List<ResolvedTable> resolved =
          report.step(Step.RESOLVE, () -> steps.resolve(batch, changes), Summaries::ofResolved);
      String operation = batch.id() + "-" + UUID.randomUUID();
      List<WrittenTable> written =
          report.step(Step.WRITE, () -> steps.write(resolved, operation), Summaries::ofWritten);
      StagedBatch staged =
          report.step(Step.STAGE, () -> steps.stage(batch, written), Summaries::ofStaged);
      listener.reached(Checkpoint.BATCH_STAGED);
      CommitOutcome outcome =
          report.step(Step.COMMIT, () -> steps.commit(staged), Summaries::ofCommit);
      return judge(report, staged, outcome);
    } finally {
      steps.release();
    }
  }

  private static CommitOutcome judge(
      ReportBuilder report, StagedBatch staged, CommitOutcome outcome) {
    if (outcome instanceof CommitOutcome.Unknown unknown) {
      throw Failures.unknown(staged, unknown.reason());
    } else if (outcome instanceof CommitOutcome.Torn torn) {
      throw Failures.torn(staged, torn.reason());
    } else if (outcome instanceof CommitOutcome.Refused refused) {
      RefusedFiles.remove(refused.notLanded());
    } else {
      report.tables(TableReports.of(staged));
      report.outcome(Outcome.COMMITTED);
    }
    return outcome;
  }
}
