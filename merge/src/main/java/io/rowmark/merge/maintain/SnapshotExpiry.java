package io.rowmark.merge.maintain;

import io.rowmark.formats.failure.Category;
import io.rowmark.formats.failure.RowmarkException;
import io.rowmark.index.scan.JobDescription;
import io.rowmark.merge.maintain.ExpiryFloor.Needed;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.actions.ExpireSnapshots;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.spark.sql.SparkSession;

/**
 * Expires snapshots with Iceberg's Spark action, which looks at what all remaining snapshots reach
 * before it removes a file. Iceberg's own incremental expiry may remove a Puffin file that still
 * holds a live vector (docs/adr/0002).
 */
final class SnapshotExpiry {
  private final MaintainSpec spec;
  private final Instant now;

  SnapshotExpiry(MaintainSpec spec, Instant now) {
    this.spec = spec;
    this.now = now;
  }

  /**
   * Says which snapshots would go.
   *
   * @param name for reports
   * @param needed what must stay
   */
  ExpiryPlan plan(String name, Table table, List<Needed> needed) {
    Instant byAge = now.minus(spec.olderThan());
    if (!PropertyUtil.propertyAsBoolean(
        table.properties(), TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT)) {
      return refused(
          name, table, byAge, "the table says gc.enabled = false: others may use its files");
    }
    Optional<Needed> oldest =
        needed.stream().min(Comparator.comparingLong(one -> one.snapshot().sequenceNumber()));
    Instant floor = oldest.map(one -> timeOf(table, one.snapshot())).orElse(byAge);
    Instant before = floor.isBefore(byAge) ? floor : byAge;
    List<Snapshot> gone =
        table
            .expireSnapshots()
            .expireOlderThan(before.toEpochMilli())
            .retainLast(spec.retainLast())
            .apply();
    Optional<Needed> lost = firstLost(gone, needed);
    if (lost.isPresent()) {
      return refused(
          name,
          table,
          before,
          "a branch has a retention of its own, by which snapshot %d would go, and %s"
              .formatted(lost.get().snapshot().snapshotId(), lost.get().reason()));
    }
    String text =
        oldest
            .filter(one -> floor.isBefore(byAge))
            .map(
                one -> "snapshot %d stays: %s".formatted(one.snapshot().snapshotId(), one.reason()))
            .orElse(null);
    return new ExpiryPlan(name, count(table), gone.size(), before, text, null);
  }

  private static ExpiryPlan refused(String name, Table table, Instant before, String reason) {
    return new ExpiryPlan(name, count(table), 0, before, null, reason);
  }

  /** Clocks of writers may differ: no snapshot from the needed one on may count as older. */
  private static Instant timeOf(Table table, Snapshot needed) {
    long time = needed.timestampMillis();
    for (Snapshot snapshot : table.snapshots()) {
      if (snapshot.sequenceNumber() >= needed.sequenceNumber()) {
        time = Math.min(time, snapshot.timestampMillis());
      }
    }
    return Instant.ofEpochMilli(time);
  }

  private static Optional<Needed> firstLost(List<Snapshot> gone, List<Needed> needed) {
    Set<Long> ids = gone.stream().map(Snapshot::snapshotId).collect(Collectors.toSet());
    return needed.stream().filter(one -> ids.contains(one.snapshot().snapshotId())).findFirst();
  }

  private static int count(Table table) {
    return (int) StreamSupport.stream(table.snapshots().spliterator(), false).count();
  }

  /** Expires what the plan says. Commits that came since make nothing of it wrong. */
  ExpiryReport run(SparkSession spark, Table table, ExpiryPlan plan) {
    long start = System.nanoTime();
    if (plan.expired() == 0) {
      return new ExpiryReport(plan, 0, 0, 0, 0, 0);
    }
    Set<Long> before = ids(table);
    try (JobDescription ignored =
        JobDescription.set(spark, "Rowmark: expire snapshots of " + table.name())) {
      ExpireSnapshots.Result result =
          SparkActions.get(spark)
              .expireSnapshots(table)
              .expireOlderThan(plan.before().toEpochMilli())
              .retainLast(spec.retainLast())
              .execute();
      table.refresh();
      before.removeAll(ids(table));
      return new ExpiryReport(
          plan,
          before.size(),
          result.deletedDataFilesCount(),
          result.deletedPositionDeleteFilesCount() + result.deletedEqualityDeleteFilesCount(),
          result.deletedManifestsCount() + result.deletedManifestListsCount(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (CommitFailedException e) {
      throw new RowmarkException(
          Category.CONFLICT,
          RowmarkException.Retry.HELPS,
          "Others kept changing table %s while its snapshots were to expire; all are there. Run again."
              .formatted(plan.table()),
          e);
    } catch (CommitStateUnknownException e) {
      throw new RowmarkException(
          Category.UNKNOWN_COMMIT,
          RowmarkException.Retry.HELPS,
          "The catalog gave no clear answer when snapshots of table %s were to expire: they may or may not be gone. No file was removed. Run again; what they left is listed among the orphans then."
              .formatted(plan.table()),
          e);
    }
  }

  private static Set<Long> ids(Table table) {
    return StreamSupport.stream(table.snapshots().spliterator(), false)
        .map(Snapshot::snapshotId)
        .collect(Collectors.toSet());
  }
}
