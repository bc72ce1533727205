package io.rowmark.app.run;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.engine.Batches;
import io.rowmark.app.engine.Engine;
import io.rowmark.app.engine.WantedInputs;
import io.rowmark.app.report.ReportFiles;
import io.rowmark.app.report.ReportPrinter;
import io.rowmark.app.report.StepPrinter;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Failure;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.report.BatchReport.StepTime;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One batch with everything around it: progress, report on every outcome, failure as exception. */
public final class BatchRun {
  private final Engine engine;
  private final PrintWriter out;

  public BatchRun(Engine engine, PrintWriter out) {
    this.engine = engine;
    this.out = out;
  }

  /** How much of a batch is printed; its report holds all. */
  enum Detail {
    /** Each step as it ends, then all counts. */
    STEPS,
    /** One line, and what a person should know. */
    LINE
  }

  /**
   * @throws RowmarkException when the batch failed; its report has been written before
   */
  public BatchReport run(AppConfig config, WantedInputs inputs) {
    try (Batches batches = open(config, inputs)) {
      return next(config, batches, Detail.STEPS);
    }
  }

  /** Opens what batches need; a report tells of the failure to do so. */
  Batches open(AppConfig config, WantedInputs inputs) {
    Instant start = Instant.now();
    try {
      return engine.batches(config, inputs);
    } catch (RuntimeException e) {
      writeAfter(config, failed(config, start, List.of(), e), e);
      throw e;
    }
  }

  BatchReport next(AppConfig config, Batches batches, Detail detail) {
    Instant start = Instant.now();
    StepPrinter printer = new StepPrinter(out);
    List<StepTime> steps = new ArrayList<>();
    Engine.Steps listener =
        (step, summary, time) -> {
          steps.add(new StepTime(step, time.toMillis()));
          if (detail == Detail.STEPS) {
            printer.stepFinished(step, summary, time);
          }
        };
    BatchReport report;
    try {
      report = batches.next(listener);
    } catch (RuntimeException e) {
      writeAfter(config, failed(config, start, steps, e), e);
      throw e;
    }
    RowmarkException failure = failure(report);
    if (failure != null) {
      writeAfter(config, report, failure);
      throw failure;
    }
    switch (detail) {
      case STEPS -> {
        ReportPrinter.print(out, report);
        ReportFiles.write(config.report(), report)
            .ifPresent(file -> out.println("Report: " + file));
      }
      case LINE -> {
        ReportPrinter.printLine(out, report);
        ReportFiles.write(config.report(), report);
      }
    }
    return report;
  }

  /** A report that cannot be written must not hide the failure that it tells of. */
  private void writeAfter(AppConfig config, BatchReport report, RuntimeException failure) {
    ReportPrinter.print(out, report);
    try {
      ReportFiles.write(config.report(), report).ifPresent(file -> out.println("Report: " + file));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      out.println(e.getMessage());
    }
  }

  private static BatchReport failed(
      AppConfig config, Instant start, List<StepTime> steps, RuntimeException error) {
    Failure failure =
        error instanceof RowmarkException known
            ? new Failure(
                known.category().name(),
                known.retryHelps(),
                Objects.requireNonNullElse(known.getMessage(), ""))
            : new Failure(Category.INTERNAL.name(), false, error.getClass().getName());
    return new BatchReport(
        config.pipeline().name(),
        Outcome.FAILED,
        null,
        null,
        0,
        start.toString(),
        Duration.between(start, Instant.now()).toMillis(),
        steps,
        List.of(),
        failure);
  }

  private static @Nullable RowmarkException failure(BatchReport report) {
    if (report.outcome() != Outcome.FAILED) {
      return null;
    }
    Failure failure = report.failure();
    if (failure == null) {
      return RowmarkException.internal("The batch failed without saying why.", null);
    }
    RowmarkException.Retry retry =
        failure.retryHelps() ? RowmarkException.Retry.HELPS : RowmarkException.Retry.USELESS;
    return new RowmarkException(
        Category.valueOf(failure.category()), retry, failure.message(), null);
  }
}
