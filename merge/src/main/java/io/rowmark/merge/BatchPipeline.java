package io.rowmark.merge;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.source.SourceBatch;
import io.rowmark.merge.spec.PipelineSpec;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.iceberg.catalog.Catalog;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * One batch of one pipeline, over all its tables: read, normalize, resolve, write, stage, commit,
 * report. Each step takes an immutable value and returns the next; nothing is visible before the
 * commit, and after it everything is.
 */
public final class BatchPipeline {
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
   * Makes attempts until one lands. Between them there is a pause that grows and differs from run
   * to run, so that writers who met once do not meet again and again.
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
    CommitOutcome last;
    try (BatchAttempts attempts = new BatchAttempts(this::steps, listener, report, given)) {
      last = Failsafe.with(refusals).get(context -> attempts.next(context.getAttemptCount() + 1));
    }
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

  private BatchSteps steps() {
    return new BatchSteps(pipeline, spark, catalog, listener);
  }
}
