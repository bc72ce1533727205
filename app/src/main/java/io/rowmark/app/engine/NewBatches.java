package io.rowmark.app.engine;

import io.rowmark.merge.OldInputs;
import io.rowmark.merge.report.BatchReport;
import io.rowmark.merge.report.BatchReport.InputReport;
import io.rowmark.merge.spec.Since;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Batches of inputs that the ledger does not have. */
final class NewBatches implements Batches {
  private final BatchSession session;
  private final @Nullable Since since;
  private final Set<String> told = new HashSet<>();

  NewBatches(BatchSession session, @Nullable Since since) {
    this.session = session;
    this.since = since;
  }

  @Override
  public Host host() {
    return session.host();
  }

  /**
   * What came before is passed over before each batch: files may land while others are worked on.
   */
  @Override
  public BatchReport next(Engine.Steps steps) {
    List<String> notes = new ArrayList<>();
    int passedOver = 0;
    if (since != null) {
      passedOver =
          new OldInputs(session.config().pipeline(), session.catalog(), session.hadoop())
              .passOver(since);
      if (passedOver > 0) {
        notes.add(
            "%,d that landed before %s are passed over, now and by later runs."
                .formatted(passedOver, text(since)));
      }
    }
    BatchReport report = session.run(steps, pipeline -> pipeline.run());
    report.inputs().notes().stream().filter(told::add).forEach(notes::add);
    return report.withInputs(new InputReport(passedOver, report.inputs().touched(), notes));
  }

  private static String text(Since since) {
    return since instanceof Since.Time time
        ? time.at().toString()
        : "batch " + ((Since.Batch) since).id();
  }

  @Override
  public void close() {
    session.close();
  }
}
