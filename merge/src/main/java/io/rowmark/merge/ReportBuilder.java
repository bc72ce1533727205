package io.rowmark.merge;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.StepListener.Step;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.Failure;
import io.rowmark.merge.report.BatchReport.InputReport;
import io.rowmark.merge.report.BatchReport.NewAttempt;
import io.rowmark.merge.report.BatchReport.Outcome;
import io.rowmark.merge.report.BatchReport.StepTime;
import io.rowmark.merge.report.BatchReport.TableReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gathers the report of a run while it goes on, so that there is one whenever it ends. */
final class ReportBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPipeline.class);

  private final String pipeline;
  private final StepListener listener;
  private final Instant started = Instant.now();
  private final List<StepTime> steps = new ArrayList<>();
  private List<TableReport> tables = List.of();
  private Outcome outcome = Outcome.FAILED;
  private @Nullable String batchId;
  private @Nullable String protocol;
  private InputReport inputs = InputReport.NOTHING;
  private int attempt = 1;
  private final List<NewAttempt> again = new ArrayList<>();

  ReportBuilder(String pipeline, StepListener listener) {
    this.pipeline = pipeline;
    this.listener = listener;
  }

  void attempt(int number) {
    this.attempt = number;
  }

  /** An attempt follows a refused one. */
  void again(NewAttempt next) {
    again.add(next);
  }

  void batch(String id, String protocolLabel) {
    this.batchId = id;
    this.protocol = protocolLabel;
  }

  /** Inputs that went in before and have another modification time now. */
  void touched(List<String> names) {
    this.inputs =
        names.isEmpty()
            ? InputReport.NOTHING
            : new InputReport(0, names.size(), List.of(touchedNote(names)));
  }

  private static String touchedNote(List<String> names) {
    return ("%d inputs that went in before have another modification time and the same size, as"
            + " '%s'. If their content changed, the tables do not have it: land it under a new"
            + " name, or bring the files again with 'rowmark replay'.")
        .formatted(names.size(), names.get(0));
  }

  void outcome(Outcome reached) {
    this.outcome = reached;
  }

  void tables(List<TableReport> done) {
    this.tables = done;
  }

  /** Runs a step and tells of it. */
  <T> T step(Step step, Supplier<T> work, Function<T, String> summary) {
    Instant begun = Instant.now();
    T result = work.get();
    Duration time = Duration.between(begun, Instant.now());
    steps.add(new StepTime(step.name().toLowerCase(Locale.ROOT), time.toMillis()));
    String line = summary.apply(result);
    LOG.info("{}: {} ({} ms)", step, line, time.toMillis());
    listener.stepFinished(step, line, time);
    return result;
  }

  BatchReport finished() {
    return report(null);
  }

  BatchReport failed(RowmarkException e) {
    this.outcome = Outcome.FAILED;
    return report(new Failure(e.category().name(), e.retryHelps(), String.valueOf(e.getMessage())));
  }

  private BatchReport report(@Nullable Failure failure) {
    return new BatchReport(
        pipeline,
        outcome,
        batchId,
        protocol,
        attempt,
        again,
        inputs,
        started.toString(),
        Duration.between(started, Instant.now()).toMillis(),
        steps,
        tables,
        failure);
  }
}
