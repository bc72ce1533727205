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
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the batches of one command share: session, catalog, configuration. */
final class BatchSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BatchSession.class);

  private final AppConfig config;
  private final SparkSessions spark;
  private final Catalog catalog;

  private BatchSession(AppConfig config, SparkSessions spark, Catalog catalog) {
    this.config = config;
    this.spark = spark;
    this.catalog = catalog;
  }

  static BatchSession open(AppConfig config) {
    SparkSessions spark = SparkSessions.open(config, SparkSessions.WebPage.AS_CONFIGURED);
    try {
      Catalog catalog = Catalogs.build(config.pipeline().catalog(), spark.session());
      return new BatchSession(config, spark, catalog);
    } catch (RuntimeException e) {
      spark.close();
      throw e;
    }
  }

  /** Batches on this session, which they close; it is closed as well where there are none. */
  Batches batches(WantedInputs inputs) {
    try {
      return inputs instanceof WantedInputs.Again again
          ? ReplayBatches.begin(this, again.request())
          : new NewBatches(this, ((WantedInputs.New) inputs).since());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  AppConfig config() {
    return config;
  }

  Catalog catalog() {
    return catalog;
  }

  Configuration hadoop() {
    return spark.session().sparkContext().hadoopConfiguration();
  }

  Batches.Host host() {
    return spark.ownership() == Ownership.MADE_HERE ? Batches.Host.OWN : Batches.Host.SHARED;
  }

  /** Runs a batch; a report is returned of one that failed as well. */
  BatchReport run(Engine.Steps steps, Function<BatchPipeline, BatchReport> batch) {
    AtomicReference<BatchReport> last = new AtomicReference<>();
    BatchPipeline pipeline =
        new BatchPipeline(
            config.pipeline(), spark.session(), catalog, new StepLines(steps), last::set);
    try {
      return batch.apply(pipeline);
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
