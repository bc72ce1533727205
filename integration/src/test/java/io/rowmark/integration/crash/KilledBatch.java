package io.rowmark.integration.crash;

import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.StepListener.Checkpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.spark.sql.SparkSession;

/** Runs in a process of its own: one batch, killed with signal 9 at a checkpoint. */
final class KilledBatch {
  /** Exit code of a process that signal 9 ended, as Java shows it. */
  static final int KILLED = 128 + 9;

  /** Exit code when the batch ended before its checkpoint came. */
  static final int NOT_REACHED = 3;

  private KilledBatch() {}

  /** Arguments: checkpoint, how many times it must come, then those of the scene. */
  public static void main(String[] arguments) {
    List<String> all = List.of(arguments);
    Killer killer = new Killer(Checkpoint.valueOf(all.get(0)), Integer.parseInt(all.get(1)));
    Scene scene = Scene.ofArguments(all.subList(2, all.size()));
    SparkSession session = LocalSpark.session();
    String prefix = "spark.sql.catalog." + scene.catalogName();
    session.conf().set(prefix, "org.apache.iceberg.spark.SparkCatalog");
    session.conf().set(prefix + ".cache-enabled", "false");
    scene.catalog().forEach((key, value) -> session.conf().set(prefix + "." + key, value));
    Configuration hadoop = session.sparkContext().hadoopConfiguration();
    new BatchPipeline(
            scene.pipeline(),
            session,
            CatalogUtil.buildIcebergCatalog(scene.catalogName(), scene.catalog(), hadoop),
            killer,
            report -> System.out.println(report.outcome() + " " + report.failure()))
        .run();
    System.exit(NOT_REACHED);
  }

  private static final class Killer implements StepListener {
    private final Checkpoint at;
    private int left;

    Killer(Checkpoint at, int times) {
      this.at = at;
      this.left = times;
    }

    @Override
    public void reached(Checkpoint checkpoint) {
      if (checkpoint == at && --left == 0) {
        System.out.println("killed at " + checkpoint);
        System.out.flush();
        kill();
      }
    }

    private static void kill() {
      try {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid()))
            .inheritIO()
            .start()
            .waitFor(1, TimeUnit.MINUTES);
      } catch (IOException e) {
        throw new IllegalStateException("There is no kill command on this machine", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {
      System.out.println(step + " " + summary);
    }
  }
}
