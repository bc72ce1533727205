package io.rowmark.integration.reports;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowmark.app.config.AppConfig;
import io.rowmark.index.testing.LocalSpark;
import io.rowmark.merge.BatchPipeline;
import io.rowmark.merge.StepListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** What others do to the table of a case, and how a run of it is cut off. */
final class CaseActions {
  private final CaseRun run;
  private final List<Long> heads = new ArrayList<>();

  CaseActions(CaseRun run) {
    this.run = run;
  }

  /** Remembers the table as it is after a batch. */
  void remember() {
    var head = run.live().currentSnapshot();
    heads.add(head == null ? null : head.snapshotId());
  }

  /** Does what a batch wants done before. */
  void before(JsonNode batch) throws IOException {
    if (!batch.has("pre")) {
      return;
    }
    for (JsonNode action : ReportedCase.items(batch.get("pre"))) {
      // a session of its own, as another engine has
      SparkSession other = LocalSpark.session().newSession();
      run.catalogSettings().forEach(other.conf()::set);
      act(other, action);
    }
    run.othersActed();
  }

  private void act(SparkSession other, JsonNode action) {
    String text = action.get("do").asText();
    if (action.has("rollback_to")) {
      call(
          other,
          "rollback_to_snapshot('%s', %d)"
              .formatted(run.table(), heads.get(action.get("rollback_to").asInt() - 1)));
    } else if (action.has("insert")) {
      for (JsonNode row : ReportedCase.items(action.get("insert"))) {
        other.sql(
            "INSERT INTO %s VALUES (%s, '%s')"
                .formatted(run.sparkTable(), row.get("id"), row.get("v").asText()));
      }
      for (JsonNode id : ReportedCase.items(action.get("delete"))) {
        other.sql("DELETE FROM %s WHERE id = %s".formatted(run.sparkTable(), id));
      }
    } else {
      String sorted =
          text.contains("order by id desc") ? ", strategy => 'sort', sort_order => 'id DESC'" : "";
      call(
          other,
          "rewrite_data_files(table => '%s'%s, options => map('rewrite-all', 'true'))"
              .formatted(run.table(), sorted));
    }
  }

  private void call(SparkSession session, String procedure) {
    session.sql("CALL %s.system.%s".formatted(run.catalog().name(), procedure)).collectAsList();
  }

  /** Ends an ingest at a checkpoint as a lost process does: nothing after it is done, or undone. */
  void cutOff(StepListener.Checkpoint at) throws IOException {
    AppConfig config = run.config();
    try {
      new BatchPipeline(
              config.pipeline(),
              LocalSpark.session(),
              run.catalog().iceberg(),
              new CuttingOff(at),
              report -> {})
          .run();
    } catch (CutOff e) {
      return;
    }
    throw new AssertionError("The batch ended before " + at);
  }

  /** An error, which no code catches as a failure of the batch. */
  private static final class CutOff extends Error {
    private static final long serialVersionUID = 1L;
  }

  private record CuttingOff(Checkpoint at) implements StepListener {
    @Override
    public void reached(Checkpoint checkpoint) {
      if (checkpoint == at) {
        throw new CutOff();
      }
    }

    @Override
    public void stepFinished(Step step, String summary, Duration time) {}
  }
}
