package io.rowmark.app.engine;

import io.rowmark.app.config.AppConfig;
import io.rowmark.formats.type.SourceType;
import io.rowmark.index.build.BuildReport;
import io.rowmark.index.reconcile.ReconcileLimits;
import io.rowmark.index.reconcile.Reconciliation;
import io.rowmark.index.verify.VerifyReport;
import io.rowmark.merge.convert.ConvertListener;
import io.rowmark.merge.convert.ConvertOutlook;
import io.rowmark.merge.convert.ConvertReport;
import io.rowmark.merge.convert.ConvertRequest;
import io.rowmark.merge.maintain.MaintainListener;
import io.rowmark.merge.maintain.MaintainOutlook;
import io.rowmark.merge.maintain.MaintainReport;
import io.rowmark.merge.maintain.MaintainRequest;
import io.rowmark.merge.plan.BatchPlan;
import io.rowmark.merge.probe.ProbeReport;
import io.rowmark.merge.purge.ProofReport;
import io.rowmark.merge.purge.PurgeReport;
import io.rowmark.merge.replay.ReplayPlan;
import io.rowmark.merge.replay.ReplayRequest;
import io.rowmark.merge.spec.TableSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.iceberg.catalog.Namespace;
import org.jspecify.annotations.Nullable;

/** What the commands ask of the rest of Rowmark; tests answer in its place. */
public interface Engine {

  /** Told of each step as it ends. */
  interface Steps {
    /**
     * @param summary counts, in one line, without row values
     */
    void stepFinished(String step, String summary, Duration time);
  }

  /**
   * Reads a declared source type, as in {@code decimal(20,5)}.
   *
   * @throws io.rowmark.formats.failure.RowmarkException CONFIG for text that is none
   */
  SourceType sourceType(String text);

  /**
   * Opens session and catalog for the batches of a pipeline.
   *
   * @throws io.rowmark.formats.failure.RowmarkException when a replay is refused
   */
  Batches batches(AppConfig config, WantedInputs inputs);

  /** Says what a replay would do; starts no session and changes nothing. */
  ReplayPlan replayPlan(AppConfig config, ReplayRequest request);

  /**
   * Builds the index of an existing table.
   *
   * @param table one of the configured keyed tables
   */
  BuildReport buildIndex(AppConfig config, TableSpec table);

  /**
   * Brings the index of a table up to date from what changed in the table.
   *
   * @param table one of the configured keyed tables
   */
  Reconciliation reconcileIndex(AppConfig config, TableSpec table, ReconcileLimits limits);

  /** What else can be asked of an index. */
  IndexCare care();

  /**
   * Compares an index with its table, both ways.
   *
   * @param table one of the configured keyed tables
   * @param samplePercent share of the rows to compare, above 0 and up to 100
   */
  VerifyReport verifyIndex(AppConfig config, TableSpec table, double samplePercent);

  /**
   * Looks up where a key is.
   *
   * @param table one of the configured keyed tables
   * @param key one value for each key column, in key order
   */
  KeyPlaces lookUp(AppConfig config, TableSpec table, List<String> key);

  /**
   * Audits a snapshot of any Iceberg table of the catalog, from its manifests; starts no session.
   *
   * @param table namespace and name; need not be in the configuration
   * @param snapshot id of the snapshot; null for the current one
   * @throws io.rowmark.formats.failure.RowmarkException CONFIG when there is no such Iceberg table
   *     or snapshot; TABLE_STATE when its manifests cannot be read
   */
  TableCheck audit(AppConfig config, String table, @Nullable Long snapshot);

  /** Says what the next batch would do; changes nothing. */
  BatchPlan plan(AppConfig config);

  /**
   * Takes the steps of the plan that change existing tables, those that need the user's consent
   * among them.
   *
   * @param done told of each change as it is committed, with the table's name
   */
  void applyPlan(AppConfig config, BiConsumer<String, String> done);

  /**
   * Says what a conversion of deletes would do; starts no session and changes nothing.
   *
   * @param tables of the catalog; need not be in the configuration
   */
  List<ConvertOutlook> convertOutlook(
      AppConfig config, List<String> tables, ConvertRequest request);

  /**
   * Converts the deletes of tables, one table after another.
   *
   * @param tables of the catalog; need not be in the configuration
   * @param listener told of each commit
   */
  List<ConvertReport> convert(
      AppConfig config, List<String> tables, ConvertRequest request, ConvertListener listener);

  /**
   * Says where keys lie in the live files of a table and its index; changes nothing.
   *
   * @param table one of the configured keyed tables
   * @param keys path of the file that holds them
   */
  PurgeReport purgeOutlook(AppConfig config, TableSpec table, String keys);

  /**
   * Takes keys out of every live file of a table and its index.
   *
   * @param table one of the configured keyed tables
   * @param keys path of the file that holds them
   */
  PurgeReport purge(AppConfig config, TableSpec table, String keys);

  /**
   * Looks for keys in every file that any snapshot of a table and its index names.
   *
   * @param table one of the configured keyed tables
   * @param keys path of the file that holds them
   */
  ProofReport provePurge(AppConfig config, TableSpec table, String keys);

  /**
   * Says what maintenance would do; starts no session and changes nothing.
   *
   * @param tables of the configuration; the ledger comes last, if it is asked for
   */
  List<MaintainOutlook> maintainOutlook(
      AppConfig config, List<String> tables, MaintainRequest request);

  /**
   * Maintains tables, one after another, then the ledger.
   *
   * @param tables of the configuration
   * @param listener told of each commit
   */
  List<MaintainReport> maintain(
      AppConfig config, List<String> tables, MaintainRequest request, MaintainListener listener);

  /**
   * Tries on scratch tables what the configured catalog really does; starts no session.
   *
   * @param scratch where the tables may be created; they are removed at the end
   */
  ProbeReport probeCatalog(AppConfig config, Namespace scratch);

  /** Starts the embedded catalog over a folder, on a free port of this machine. */
  CatalogServer startCatalog(Path directory);
}
