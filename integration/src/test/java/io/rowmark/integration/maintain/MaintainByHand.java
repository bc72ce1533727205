package io.rowmark.integration.maintain;

import io.rowmark.app.config.AppConfig;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.maintain.ExpiryReport;
import io.rowmark.merge.maintain.MaintainListener;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.MaintainRequest;
import io.rowmark.merge.maintain.MaintainTask;
import io.rowmark.merge.maintain.OrphanReport;
import io.rowmark.merge.maintain.StepReport;
import io.rowmark.merge.maintain.TableMaintainer;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;

/** Maintenance without its command, so that something can happen in the midst of it. */
final class MaintainByHand {
  private MaintainByHand() {}

  /** Rewrites data files, and tells of each point between the steps. */
  static MaintainReport files(MaintainRun run, Consumer<Checkpoint> reached) {
    return run(run, Set.of(MaintainTask.FILES), 32L << 30, reached);
  }

  static MaintainReport run(
      MaintainRun run, Set<MaintainTask> tasks, long maxBytes, Consumer<Checkpoint> reached) {
    AppConfig config = run.read();
    return new TableMaintainer(
            config.pipeline(),
            config.maintain(),
            run.catalog().iceberg(),
            new MaintainRequest(tasks, maxBytes, 1000, Instant.now()))
        .maintain(LocalSpark.session(), MaintainRun.THINGS.toString(), new Points(reached));
  }

  private record Points(Consumer<Checkpoint> to) implements MaintainListener {
    @Override
    public void begins(MaintainOutlook outlook) {}

    @Override
    public void committed(StepReport step) {}

    @Override
    public void expired(ExpiryReport expiry) {}

    @Override
    public void listed(OrphanReport orphans) {}

    @Override
    public void reached(Checkpoint checkpoint) {
      to.accept(checkpoint);
    }
  }
}
