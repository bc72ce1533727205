package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.index.duplicates.DuplicateFinder;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.history.IndexHistory;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.index.repair.IndexRepairer;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.merge.spec.TableSpec;
import io.rowmark.merge.stage.BatchMarker;
import java.util.List;

/** Opens session and catalog for each piece of work. */
record SparkIndexCare() implements IndexCare {
  @Override
  public RepairReport repair(AppConfig config, TableSpec table, IndexRepairer.Mode mode) {
    return SparkEngine.with(
        config,
        (session, catalog) -> {
          SparkEngine.requireByPosition(config, table, catalog);
          return IndexRepairer.repair(session, SparkEngine.indexed(config, table, catalog), mode);
        });
  }

  @Override
  public KeyHistory history(AppConfig config, TableSpec table, List<String> key) {
    return SparkEngine.with(
        config,
        (session, catalog) ->
            IndexHistory.of(
                session, SparkEngine.indexed(config, table, catalog), key, BatchMarker::of));
  }

  @Override
  public DuplicateReport duplicates(AppConfig config, TableSpec table) {
    return SparkEngine.with(
        config,
        (session, catalog) ->
            DuplicateFinder.find(session, SparkEngine.indexed(config, table, catalog)));
  }
}
