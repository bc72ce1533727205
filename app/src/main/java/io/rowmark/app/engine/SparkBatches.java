package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.app.spark.Catalogs;
import io.rowmark.app.spark.SparkSessions;
import io.rowmark.app.spark.SparkSessions.Ownership;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.report.BatchReport;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.catalog.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Batches on a real session. */
final class SparkBatches implements Batches {
  private static final Logger LOG = LoggerFactory.getLogger(SparkBatches.class);

  private final AppConfig config;
  private final SparkSessions spark;
  private final Catalog catalog;

  private SparkBatches(AppConfig config, SparkSessions spark, Catalog catalog) {
    this.config = config;
    this.spark = spark;
    this.catalog = catalog;
  }

  static SparkBatches open(AppConfig config) {
    SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.AS_CONFIGURED);
    try {
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), spark.session());
      return new SparkBatches(config, spark, catalog);
    } catch (RuntimeException e) {
      spark.close();
      throw e;
    }
  }

  @Override
  public Host host() {
    return spark.ownership() == Ownership.MADE_HERE ? Host.OWN : Host.SHARED;
  }

  @Override
  public BatchReport next(Engine.Steps steps) {
    AtomicReference<BatchReport> last = new AtomicReference<>();
    BatchPipeline pipeline =
        new BatchPipeline(
            config.pipeline(), spark.session(), catalog, new StepLines(steps), last::set);
    try {
      return pipeline.run();
    } catch (RowmarkException e) {
      LOG.debug("The batch failed", e);
      BatchReport report = last.get();
      if (report == null) {
        throw e;
      }
      return report;
    }
  }

  @Override
  public void close() {
    try {
      Catalogs.close(catalog);
    } finally {
      spark.close();
    }
  }

  /** Hands the steps on under the names that people read. */
  private record StepLines(Engine.Steps steps) implements StepListener {
    @Override
    public void reached(Checkpoint checkpoint) {}

    @Override
    public void stepFinished(Step step, String summary, Duration time) {
      steps.stepFinished(step.name().toLowerCase(Locale.ROOT), summary, time);
    }
  }
}
