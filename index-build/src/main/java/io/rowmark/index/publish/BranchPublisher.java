package io.rowmark.index.publish;

import io.rowmark.formats.delete.DeleteFormat;
import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.formats.failure.RowmarkException.Retry;
import io.rowmark.formats.position.FileDeletes;
import io.rowmark.index.TableSwap;
import io.rowmark.index.convert.DeadRows;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.index.write.RefusedDeletes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.spark.source.SerializableTableWithSize;
import org.apache.iceberg.util.SerializationUtil;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a branch that a streaming writer fills with equality deletes: another branch of the table
 * gets the same data files with the same rows hidden by position. Data files are not copied.
 */
public final class BranchPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(BranchPublisher.class);
  private static final int FILES_PER_TASK = 4;

  private final SparkSession spark;
  private final Catalog catalog;
  private final TableIdentifier name;
  private final Branches branches;
  private final Function<Table, DeleteFormat> format;
  private final PublishLimits limits;

  /**
   * @param format that deletes of the table as loaded may have; throws where it may have none
   */
  public BranchPublisher(
      SparkSession spark,
      Catalog catalog,
      TableIdentifier name,
      Branches branches,
      Function<Table, DeleteFormat> format,
      PublishLimits limits) {
    this.spark = spark;
    this.catalog = catalog;
    this.name = name;
    this.branches = branches;
    this.format = format;
    this.limits = limits;
  }

  /**
   * Publishes what the source has when the run begins, as far as the limits allow.
   *
   * @param done told of each commit
   * @return the commits; none if the target shows the source already
   * @throws RowmarkException CONFIG for a branch that is not there, TABLE_STATE when the target
   *     holds other rows, CONFLICT when others kept committing to it, UNKNOWN_COMMIT when the
   *     catalog's answer was lost
   */
  public List<PublishReport> run(Consumer<PublishReport> done) {
    List<PublishReport> reports = new ArrayList<>();
    Table table = catalog.loadTable(name);
    PublishBase begin = PublishBase.find(table, branches);
    for (Snapshot source : steps(table, begin)) {
      if (reports.size() == limits.maxCommits()) {
        break;
      }
      publish(reports.size() + 1, source.snapshotId())
          .ifPresent(
              report -> {
                reports.add(report);
                done.accept(report);
              });
    }
    return List.copyOf(reports);
  }

  /** The source's snapshots to be shown one after another, the newest last. */
  private List<Snapshot> steps(Table table, PublishBase base) {
    Snapshot head = PublishBase.source(table, branches);
    if (base.shows(head)) {
      return List.of();
    }
    List<Snapshot> newer = newer(table, base, head);
    List<Snapshot> steps = new ArrayList<>();
    for (int at = limits.snapshots(); at < newer.size() && at > 0; at += limits.snapshots()) {
      steps.add(newer.get(at - 1));
    }
    steps.add(head);
    return steps;
  }

  /** Snapshots up to one that are later than what the target shows, the oldest first. */
  private static List<Snapshot> newer(Table table, PublishBase base, Snapshot head) {
    List<Snapshot> newer = new ArrayList<>();
    for (Snapshot snapshot : SnapshotUtil.ancestorsOf(head.snapshotId(), table::snapshot)) {
      if (snapshot.sequenceNumber() <= base.since()) {
        break;
      }
      newer.add(0, snapshot);
    }
    return newer;
  }

  private Optional<PublishReport> publish(int number, long sourceId) {
    long start = System.nanoTime();
    @Nullable Exception last = null;
    for (int attempt = 1; attempt <= limits.attempts(); attempt++) {
      Table table = catalog.loadTable(name);
      PublishBase base = PublishBase.find(table, branches);
      Snapshot source = require(table, sourceId);
      Optional<String> all = base.reasonToCompareAll(table, source);
      PublishPlan plan =
          PublishPlan.of(table, source, base.target(), all.isPresent() ? -1 : base.since());
      if (plan.isEmpty()) {
        return Optional.empty();
      }
      PublishCommit commit = new PublishCommit(plan, write(table, plan, format.apply(table)));
      try {
        Snapshot committed = commit(base, source, commit);
        return Optional.of(
            new PublishReport(
                number,
                sourceId,
                all.isPresent() ? 0 : newer(table, base, source).size(),
                committed.snapshotId(),
                all.orElse(null),
                commit.filesAdded(),
                commit.filesRemoved(),
                commit.filesMasked(),
                plan.items().size(),
                plan.bytesToCompare(),
                commit.rowsHidden(),
                commit.added().size(),
                attempt,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
      } catch (ValidationException | CommitFailedException | IllegalArgumentException e) {
        LOG.info("Others forestalled attempt {} to publish {}", attempt, sourceId, e);
        RefusedDeletes.remove(table.io(), commit.added());
        last = e;
      }
    }
    throw new RowmarkException(
        Category.CONFLICT,
        Retry.HELPS,
        "Others committed to branch %s of table %s %d times while it was published. Nothing is lost: run again, with one run at a time."
            .formatted(branches.to(), name, limits.attempts()),
        last);
  }

  private Snapshot require(Table table, long sourceId) {
    Snapshot source = table.snapshot(sourceId);
    if (source == null) {
      throw RowmarkException.tableState(
          "Snapshot %d of branch %s of table %s was expired while it was published, so its files may be gone. Nothing was committed. Keep snapshots of the branch longer (history.expire.max-snapshot-age-ms) and run again."
              .formatted(sourceId, branches.from(), name));
    }
    return source;
  }

  private Snapshot commit(PublishBase base, Snapshot source, PublishCommit commit) {
    PublishMark mark = PublishMark.of(branches.from(), source);
    try {
      return TableSwap.onNewest(
          () -> catalog.loadTable(name),
          branches.to(),
          transaction -> {
            require(transaction.table(), source.snapshotId());
            commit.stage(transaction, base, branches, mark);
          });
    } catch (RowmarkException e) {
      throw e;
    } catch (ValidationException | CommitFailedException | IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          Retry.HELPS,
          "The catalog gave no clear answer to a commit on branch %s of table %s: it may or may not be in place. No file was removed. Run again: publishing goes on from what is in place."
              .formatted(branches.to(), name),
          e);
    }
  }

  private List<FileDeletes> write(Table table, PublishPlan plan, DeleteFormat to) {
    if (plan.items().isEmpty()) {
      return List.of();
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<Table> shared = context.broadcast(SerializableTableWithSize.copyOf(table));
    List<PublishItem> items = plan.items().stream().map(PublishItem::light).toList();
    PublishTask task =
        new PublishTask(
            shared,
            SchemaParser.toJson(DeadRows.everyColumn(table)),
            to,
            UUID.randomUUID().toString());
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: publish branch " + branches.from() + " of " + name)) {
      List<FileDeletes> written = new ArrayList<>();
      int tasks = 1 + items.size() / FILES_PER_TASK;
      for (byte[] bytes : context.parallelize(items, tasks).mapPartitions(task).collect()) {
        FileDeletes deletes = SerializationUtil.deserializeFromBytes(bytes);
        written.add(deletes);
      }
      return written;
    } finally {
      shared.unpersist();
    }
  }
}
