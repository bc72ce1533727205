package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.index.duplicates.DuplicateReport;
import io.rowmark.index.history.KeyHistory;
import io.rowmark.index.repair.IndexRepairer;
import io.rowmark.index.repair.RepairReport;
import io.rowmark.merge.spec.TableSpec;
import java.util.List;

/** What the commands ask of an index that is there; tables are configured keyed tables. */
public interface IndexCare {
  /** Compares an index with its table and mends what differs, or only says what does. */
  RepairReport repair(AppConfig config, TableSpec table, IndexRepairer.Mode mode);

  /**
   * Says where the row of a key was.
   *
   * @param key one value for each key column, in key order
   */
  KeyHistory history(AppConfig config, TableSpec table, List<String> key);

  /** Finds rows whose key another row has; needs no index and changes nothing. */
  DuplicateReport duplicates(AppConfig config, TableSpec table);
}
