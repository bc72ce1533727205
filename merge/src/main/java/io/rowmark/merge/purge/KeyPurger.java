package io.rowmark.merge.purge;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.key.KeySpec;
import io.rowmark.formats.key.SortedKeys;
import io.rowmark.index.IndexTables;
import io.rowmark.index.IndexedTable;
import io.rowmark.index.purge.KeyProof;
import io.rowmark.index.purge.KeyProof.Scope;
import io.rowmark.index.purge.PurgeOutput;
import io.rowmark.index.purge.PurgeSurvey;
import io.rowmark.index.purge.TableProof;
import io.rowmark.index.purge.WantedKeys;
import io.rowmark.index.scan.ReadableKey;
import io.rowmark.merge.StepListener;
import io.rowmark.merge.StepListener.Checkpoint;
import io.rowmark.merge.commit.CommitOutcome;
import io.rowmark.merge.commit.CommitProtocol;
import io.rowmark.merge.commit.CommitProtocols;
import io.rowmark.merge.migrate.TableUpkeep;
import io.rowmark.merge.purge.PurgeReport.Done;
import io.rowmark.merge.purge.PurgeReport.Found;
import io.rowmark.merge.spec.PipelineSpec;
import io.rowmark.merge.spec.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes keys out of a table and its index: out of the rows, and out of every live file, whether
 * readers can still see them there or not. One commit of both where the catalog can; else the data
 * table first, and a run that is cut off is ended by the same command.
 */
public final class KeyPurger {
  private static final Logger LOG = LoggerFactory.getLogger(KeyPurger.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final double JITTER = 0.5;

  private final PipelineSpec pipeline;
  private final SparkSession spark;
  private final IndexedTable names;
  private final TableSpec spec;
  private final StepListener listener;

  /**
   * @param spec a table of the pipeline that has a key
   * @param catalog built from the same properties as the Spark catalog of the pipeline's name
   */
  public KeyPurger(
      PipelineSpec pipeline,
      TableSpec spec,
      SparkSession spark,
      Catalog catalog,
      StepListener listener) {
    this.pipeline = pipeline;
    this.spec = spec;
    this.spark = spark;
    this.listener = listener;
    this.names =
        new IndexedTable(
            catalog,
            pipeline.catalog().name(),
            TableIdentifier.parse(spec.table()),
            TableIdentifier.parse(spec.table() + pipeline.index().suffix()),
            spec.key());
  }

  /**
   * Says where keys lie; changes nothing.
   *
   * @param keys path of the file that holds them, see {@link KeyFile}
   */
  public PurgeReport outlook(String keys) {
    long start = System.nanoTime();
    SortedKeys wanted = read(keys);
    PurgeTarget target =
        PurgeTarget.open(names, wanted, new TableUpkeep(spark), PurgeTarget.Upkeep.LEFT);
    PurgeSurvey survey = PurgeSurvey.of(spark, target.base());
    return report(target, wanted, survey, null, List.of(), start);
  }

  /**
   * Purges. The same keys again, when they are gone, change nothing.
   *
   * @param keys path of the file that holds them, see {@link KeyFile}
   * @throws RowmarkException SOURCE for a file that is none; TABLE_STATE when index and table do
   *     not agree; CONFLICT when others kept committing; UNKNOWN_COMMIT when the catalog's answer
   *     was lost
   */
  public PurgeReport purge(String keys) {
    long start = System.nanoTime();
    SortedKeys wanted = read(keys);
    PurgeReport[] done = new PurgeReport[1];
    RetryPolicy<CommitOutcome> refusals =
        RetryPolicy.<CommitOutcome>builder()
            .handleIf(error -> false)
            .handleResultIf(outcome -> outcome instanceof CommitOutcome.Refused)
            .withBackoff(FIRST_PAUSE, LONGEST_PAUSE)
            .withJitter(JITTER)
            .withMaxAttempts(pipeline.commit().attempts())
            .build();
    CommitOutcome last =
        Failsafe.with(refusals)
            .get(
                context -> {
                  Attempt attempt = attempt(wanted, context.getAttemptCount() + 1, start);
                  done[0] = attempt.report;
                  return attempt.outcome;
                });
    if (last instanceof CommitOutcome.Refused refused) {
      throw new RowmarkException(
          Category.CONFLICT,
          Retry.HELPS,
          "Other writers kept changing table %s: %d attempts to purge were refused, the last because: %s. Run again, or raise commit.attempts."
              .formatted(spec.table(), pipeline.commit().attempts(), refused.reason()),
          null);
    }
    return done[0];
  }

  private record Attempt(PurgeReport report, CommitOutcome outcome) {}

  private Attempt attempt(SortedKeys wanted, int number, long start) {
    PurgeTarget target =
        PurgeTarget.open(names, wanted, new TableUpkeep(spark), PurgeTarget.Upkeep.DONE);
    PurgeSurvey survey = PurgeSurvey.of(spark, target.base());
    if (survey.isEmpty()) {
      PurgeReport report = report(target, wanted, survey, null, retained(target, wanted), start);
      return new Attempt(report, new CommitOutcome.Committed());
    }
    CommitProtocol protocol =
        CommitProtocols.choose(
                pipeline.commit(), pipeline.capabilities().catalog(), names.catalog(), listener)
            .protocol();
    PurgeOutput output = PurgeOutput.write(spark, target.base(), survey);
    StagedPurge staged =
        StagedPurge.of(target, output, pipeline.name(), "purge-" + UUID.randomUUID());
    listener.reached(Checkpoint.BATCH_STAGED);
    CommitOutcome outcome = protocol.commit(staged.id(), staged.changes(), staged::discard);
    if (outcome instanceof CommitOutcome.Unknown unknown) {
      throw unknown(staged, unknown.reason());
    } else if (outcome instanceof CommitOutcome.Torn torn) {
      throw torn(staged, torn.reason());
    } else if (outcome instanceof CommitOutcome.Refused refused) {
      LOG.info("Attempt {} to purge {} was refused: {}", number, spec.table(), refused.reason());
      return new Attempt(report(target, wanted, survey, null, List.of(), start), outcome);
    }
    LOG.info("Purged {} keys of {} in commit {}", wanted.size(), spec.table(), staged.id());
    Done done = staged.done(protocol.label(), number);
    return new Attempt(
        report(target, wanted, survey, done, retained(target, wanted), start), outcome);
  }

  /**
   * Looks for keys in every file that any snapshot of the table and its index names.
   *
   * @param keys path of the file that holds them, see {@link KeyFile}
   */
  public ProofReport prove(String keys) {
    long start = System.nanoTime();
    Table data = names.loadData();
    SortedKeys wanted = read(keys);
    List<TableProof> proofs = proofs(new WantedKeys(wanted, names.keyOf(data)), Scope.EVERY_FILE);
    return new ProofReport(
        spec.table(), wanted.size(), proofs, Elsewhere.of(pipeline, spec), millis(start));
  }

  private SortedKeys read(String path) {
    KeySpec key = names.keyOf(names.loadData());
    ReadableKey.check(names, key);
    return KeyFile.read(path, key, spec.columns(), spark.sparkContext().hadoopConfiguration());
  }

  private List<TableProof> retained(PurgeTarget target, SortedKeys wanted) {
    return proofs(new WantedKeys(wanted, target.key()), Scope.RETAINED_FILES);
  }

  private List<TableProof> proofs(WantedKeys wanted, Scope scope) {
    List<TableProof> proofs = new ArrayList<>();
    proofs.add(KeyProof.of(spark, names.loadData(), wanted, scope));
    Optional<Table> index = IndexTables.find(names.catalog(), names.index());
    if (index.isPresent()) {
      IndexTables.checkKey(index.get(), wanted.key(), names.data());
      proofs.add(KeyProof.of(spark, index.get(), wanted.ofIndex(index.get()), scope));
    }
    return proofs;
  }

  private PurgeReport report(
      PurgeTarget target,
      SortedKeys wanted,
      PurgeSurvey survey,
      @Nullable Done done,
      List<TableProof> retained,
      long start) {
    return new PurgeReport(
        spec.table(),
        target.index() == null ? null : names.index().toString(),
        wanted.size(),
        Found.of(survey),
        done,
        retained.stream().flatMap(table -> table.holders().stream()).toList(),
        retained.stream().flatMap(table -> table.gaps().stream()).toList(),
        Elsewhere.of(pipeline, spec),
        target.notes(),
        millis(start));
  }

  private static long millis(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private RowmarkException unknown(StagedPurge staged, String reason) {
    return new RowmarkException(
        Category.UNKNOWN_COMMIT,
        Retry.HELPS,
        "The commit of purge %s of table %s was sent, and whether it landed is not known (%s). Nothing was removed. Run again: what is purged already is not found any more."
            .formatted(staged.id(), spec.table(), reason),
        null);
  }

  private RowmarkException torn(StagedPurge staged, String reason) {
    return new RowmarkException(
        Category.TABLE_STATE,
        Retry.HELPS,
        "The catalog committed purge %s to one of the table and its index only: %s. It is not atomic. Set commit.mode = ordered and run again, which purges what is left."
            .formatted(staged.id(), reason),
        null);
  }
}
