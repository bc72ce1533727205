package io.rowmark.app.engine;

import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.merge.replay.IndexSetBack;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayPlanner;
import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.source.SourceBatch;
import java.util.ArrayDeque;
import java.util.Deque;

/** The batches of a replay, as planned when it was opened. */
final class ReplayBatches implements Batches {
  private final BatchSession session;
  private final Deque<SourceBatch> left = new ArrayDeque<>();

  private ReplayBatches(BatchSession session) {
    this.session = session;
  }

  /**
   * @throws RowmarkException when the replay is refused
   */
  static ReplayBatches begin(BatchSession session, ReplayRequest request) {
    ReplayBatches batches = new ReplayBatches(session);
    ReplayPlan plan =
        ReplayPlanner.plan(
                session.config().pipeline(), session.catalog(), session.hadoop(), request)
            .ready();
    plan.setBacks().forEach(setBack -> IndexSetBack.apply(session.catalog(), setBack));
    plan.steps().forEach(step -> batches.left.add(step.batch()));
    return batches;
  }

  @Override
  public Host host() {
    return session.host();
  }

  @Override
  public BatchReport next(Engine.Steps steps) {
    SourceBatch batch = left.poll();
    if (batch == null) {
      throw new IllegalStateException("The replay has no more batches");
    }
    return session.run(steps, pipeline -> pipeline.replay(batch));
  }

  @Override
  public boolean hasNext() {
    return !left.isEmpty();
  }

  @Override
  public void close() {
    session.close();
  }
}
